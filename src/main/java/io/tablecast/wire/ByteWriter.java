package io.tablecast.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** A growing array of bytes with the few ways of writing that messages need. One thread. */
public final class ByteWriter {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private byte[] array;
  private int size;

  /** Starts with room for this many bytes. */
  public ByteWriter(int capacity) {
    array = new byte[Math.max(16, capacity)];
  }

  /** Bytes written. */
  public int size() {
    return size;
  }

  /** Forgets what lies beyond this size. */
  public void truncate(int to) {
    size = Math.min(size, to);
  }

  /** A copy of what has been written. */
  public byte[] toByteArray() {
    return Arrays.copyOf(array, size);
  }

  /** Writes the bytes as they are. */
  public ByteWriter raw(byte[] bytes) {
    return raw(bytes, 0, bytes.length);
  }

  /** Writes the bytes as they are. */
  public ByteWriter raw(byte[] bytes, int offset, int length) {
    room(length);
    System.arraycopy(bytes, offset, array, size, length);
    size += length;
    return this;
  }

  /** Writes ASCII text. */
  @SuppressWarnings("deprecation") // the one String method that copies ASCII without an encoder
  public ByteWriter ascii(String text) {
    room(text.length());
    text.getBytes(0, text.length(), array, size);
    size += text.length();
    return this;
  }

  /** Writes a decimal number. */
  public ByteWriter number(long value) {
    return ascii(Long.toString(value));
  }

  /** Writes a JSON string (RFC 8259, section 7). */
  public ByteWriter string(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return string(utf8, 0, utf8.length);
  }

  /**
   * Writes well-formed UTF-8 as a JSON string: quotes, backslashes and control characters are
   * escaped.
   */
  public ByteWriter string(byte[] utf8, int offset, int length) {
    room(length + 2);
    array[size++] = '"';
    int end = offset + length;
    int from = offset;
    for (int i = offset; i < end; i++) {
      int b = utf8[i];
      if (b == '"' || b == '\\' || (b >= 0 && b < 0x20)) {
        raw(utf8, from, i - from);
        escape(b);
        from = i + 1;
      }
    }
    raw(utf8, from, end - from);
    room(1);
    array[size++] = '"';
    return this;
  }

  private void escape(int b) {
    room(6);
    array[size++] = '\\';
    switch (b) {
      case '"', '\\' -> array[size++] = (byte) b;
      case '\n' -> array[size++] = 'n';
      case '\r' -> array[size++] = 'r';
      case '\t' -> array[size++] = 't';
      default -> {
        array[size++] = 'u';
        array[size++] = '0';
        array[size++] = '0';
        array[size++] = HEX[b >> 4];
        array[size++] = HEX[b & 15];
      }
    }
  }

  /** Writes a JSON string of the bytes' base64 (RFC 4648, section 4, with padding). */
  public ByteWriter base64(byte[] bytes, int offset, int length) {
    byte[] text = Base64.getEncoder().encode(Arrays.copyOfRange(bytes, offset, offset + length));
    return ascii("\"").raw(text).ascii("\"");
  }

  /** Turns line breaks written since this size into spaces. */
  void joinLines(int since) {
    for (int i = since; i < size; i++) {
      if (array[i] == '\n' || array[i] == '\r') {
        array[i] = ' ';
      }
    }
  }

  private void room(int more) {
    int needed = Math.addExact(size, more);
    if (needed > array.length) {
      array =
          Arrays.copyOf(
              array, (int) Math.min(Integer.MAX_VALUE - 16L, Math.max(needed, array.length * 2L)));
    }
  }
}
