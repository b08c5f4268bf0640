package io.tablecast.wire;

/** Well-formed UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. */
public final class Utf8 {
  private Utf8() {}

  /** Whether the bytes are well-formed UTF-8. */
  public static boolean isUtf8(byte[] array, int offset, int length) {
    int end = offset + length;
    int i = offset;
    while (i < end) {
      int bytes = array[i] >= 0 ? 1 : sequence(array, i, end);
      if (bytes == 0) {
        return false;
      }
      i += bytes;
    }
    return true;
  }

  /**
   * The length of the well-formed sequence of several bytes that starts here, 0 if there is none.
   *
   * @param end where the array's part ends
   */
  static int sequence(byte[] array, int i, int end) {
    int lead = array[i] & 0xff;
    if (lead < 0xc2 || lead > 0xf4) {
      return 0;
    }
    int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (end - i < length) {
      return 0;
    }
    int second = array[i + 1] & 0xff;
    int low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    int high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (second < low || second > high) {
      return 0;
    }
    for (int k = 2; k < length; k++) {
      if ((array[i + k] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length;
  }
}
