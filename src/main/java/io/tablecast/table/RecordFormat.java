package io.tablecast.table;

/**
 * How a record lies in a segment: one byte of flags, then as varints the sequence number (less that
 * of the record before), the partition, the offset and the timestamp (less those of the segment's
 * first record, zigzag), the lengths of key and value; then key and value. About 12 bytes of header
 * for a small record.
 */
final class RecordFormat {
  /** Superseded by a record that has been published, or never published itself. */
  static final int DEAD = 1;

  /**
   * Superseded by a record that has not been published yet: dead to the writer, alive to readers.
   */
  static final int DOOMED = 2;

  static final int DELETION = 4;
  static final int EXPIRED = 8;
  static final int CONTESTED = 16;

  /** The most that a header can take: flags, two ints, two longs, two ints. */
  static final int MAX_HEADER = 1 + 5 + 5 + 10 + 10 + 5 + 5;

  private RecordFormat() {}

  /** Bytes of the first record of a segment, whose differences are all zero. */
  static int firstRecordBytes(int partition, int keyLength, int valueLength) {
    int header = 4 + varintBytes(partition) + varintBytes(keyLength) + varintBytes(valueLength);
    return Math.addExact(Math.addExact(header, keyLength), valueLength);
  }

  /** Where the record ends that starts at a position. */
  static int end(byte[] from, int start) {
    int at = start + 1;
    for (int skipped = 0; skipped < 4; at++) {
      if (from[at] >= 0) {
        skipped++;
      }
    }
    int length = 0;
    for (int lengths = 0; lengths < 2; lengths++) {
      byte b = from[at++];
      int part = b & 0x7f;
      for (int shift = 7; b < 0; shift += 7) {
        b = from[at++];
        part |= (b & 0x7f) << shift;
      }
      length += part;
    }
    return at + length;
  }

  static int varintBytes(int value) {
    return (38 - Integer.numberOfLeadingZeros(value | 1)) / 7;
  }

  /** Returns the position after it. */
  static int writeVarint(byte[] to, int at, long value) {
    while ((value & ~0x7fL) != 0) {
      to[at++] = (byte) (value | 0x80);
      value >>>= 7;
    }
    to[at++] = (byte) value;
    return at;
  }

  /** Small numbers of either sign become small unsigned ones. */
  static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  static long unzigzag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }
}
