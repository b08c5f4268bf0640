package io.tablecast.table;

import java.util.Arrays;

/**
 * A record as it lies in the log: a window that is moved over it, without copying. Owned by the
 * reader that made it; not safe for other threads. The bytes that it shows never change, so slices
 * of {@link #array()} may be kept and must not be written to.
 */
public final class RecordView {
  private static final byte[] NOTHING = {};

  private byte[] array = NOTHING;
  private int start;
  private long before;
  private int flags;
  private long sequence;
  private int partition;
  private long offset;
  private long timestamp;
  private int keyLength;
  private int valueLength;
  private int keyOffset;

  /** Where decoding has got to. */
  private int at;

  /** The array that holds key and value. */
  public byte[] array() {
    return array;
  }

  /** Where the key starts in the array. */
  public int keyOffset() {
    return keyOffset;
  }

  /** Bytes of the key. */
  public int keyLength() {
    return keyLength;
  }

  /** Where the value starts in the array. */
  public int valueOffset() {
    return keyOffset + keyLength;
  }

  /** Bytes of the value; 0 for a deletion. */
  public int valueLength() {
    return valueLength;
  }

  /** The place of this change in the table's order. */
  public long sequence() {
    return sequence;
  }

  /** Kafka's partition. */
  public int partition() {
    return partition;
  }

  /**
   * Kafka's offset; of an {@linkplain #expired() expired} one, the offset of the record that
   * vanished.
   */
  public long offset() {
    return offset;
  }

  /** Kafka's timestamp in ms since the epoch; -1 if the record has none. */
  public long timestamp() {
    return timestamp;
  }

  /** Whether this is a deletion: a tombstone, or an expired key. */
  public boolean deletion() {
    return (flags & RecordFormat.DELETION) != 0;
  }

  /**
   * Whether this is a deletion that no record stands for: the start of the log moved past the key's
   * record.
   */
  public boolean expired() {
    return (flags & RecordFormat.EXPIRED) != 0;
  }

  /**
   * Whether the key has been seen in several partitions, so that this record may have become the
   * newest without being new: its offset says nothing of whether a client has it.
   */
  public boolean contested() {
    return (flags & RecordFormat.CONTESTED) != 0;
  }

  /** Whether a newer record of the key is known: shown only by {@link Cursor#nextOfAny}. */
  public boolean dead() {
    return (flags & RecordFormat.DEAD) != 0;
  }

  /**
   * Moves to the record at a position.
   *
   * @param previous the sequence number of the record before; at position 0, the segment's first
   */
  void show(Segment segment, int position, long previous) {
    array = segment.bytes;
    start = position;
    flags = array[position];
    before = previous;
    at = position + 1;
    sequence = previous + varint();
    partition = (int) varint();
    offset = segment.firstOffset + RecordFormat.unzigzag(varint());
    timestamp = segment.firstTimestamp + RecordFormat.unzigzag(varint());
    keyLength = (int) varint();
    valueLength = (int) varint();
    keyOffset = at;
  }

  private long varint() {
    byte b = array[at++];
    return b >= 0 ? b : longerVarint(b);
  }

  private long longerVarint(byte first) {
    byte[] from = array;
    int position = at;
    long value = first & 0x7f;
    int shift = 7;
    byte b;
    do {
      b = from[position++];
      value |= (long) (b & 0x7f) << shift;
      shift += 7;
    } while (b < 0);
    at = position;
    return value;
  }

  /** Where its flags are. */
  int start() {
    return start;
  }

  /** The sequence number of the record before; at the start of a segment, its first. */
  long before() {
    return before;
  }

  /** Where the next record starts. */
  int end() {
    return keyOffset + keyLength + valueLength;
  }

  int length() {
    return end() - start;
  }

  int flags() {
    return flags;
  }

  /** As the writer sees it. */
  boolean superseded() {
    return (flags & (RecordFormat.DEAD | RecordFormat.DOOMED)) != 0;
  }

  boolean hasKey(byte[] key) {
    return Arrays.equals(array, keyOffset, keyOffset + keyLength, key, 0, key.length);
  }

  byte[] copyValue() {
    return Arrays.copyOfRange(array, valueOffset(), end());
  }
}
