package io.tablecast.table;

import java.nio.ByteBuffer;

/**
 * Records that can be verified: the value is made from key and offset alone, so a record that is
 * torn, or is put together from two, gives itself away.
 */
final class StressRecord {
  private StressRecord() {}

  static byte[] key(int number) {
    return ByteBuffer.allocate(Integer.BYTES + number % 5).putInt(number).array();
  }

  static byte[] value(int number, long offset) {
    byte[] value = new byte[length(number, offset)];
    for (int i = 0; i < value.length; i++) {
      value[i] = at(number, offset, i);
    }
    return value;
  }

  private static int length(int number, long offset) {
    return (int) (mix(number, offset) & 63);
  }

  private static byte at(int number, long offset, int i) {
    return (byte) (mix(number, offset) >>> (i & 7) * 8);
  }

  /** What a key with a record adds to the sum over a table. */
  static long mix(int number, long offset) {
    long z = (offset * 31 + number) * 0x9e3779b97f4a7c15L;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    return z ^ z >>> 27;
  }

  static int partition(int number) {
    return number % 3;
  }

  /** Checks every byte and returns the key's number. */
  static int verify(RecordView view) {
    int number = ByteBuffer.wrap(view.array(), view.keyOffset(), Integer.BYTES).getInt();
    long offset = view.offset();
    require(view.keyLength() == Integer.BYTES + number % 5, "length of the key", view);
    require(view.partition() == partition(number), "partition", view);
    require(view.timestamp() == -offset, "timestamp", view);
    int length = view.deletion() ? 0 : length(number, offset);
    require(view.valueLength() == length, "length of the value", view);
    for (int i = 0; i < length; i++) {
      require(view.array()[view.valueOffset() + i] == at(number, offset, i), "value", view);
    }
    return number;
  }

  static void require(boolean condition, String what, RecordView view) {
    if (!condition) {
      throw new AssertionError(
          what + " of the record " + view.sequence() + " with offset " + view.offset());
    }
  }
}
