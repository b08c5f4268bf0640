package io.tablecast.table;

/**
 * A record as it lies in the log: a window that is moved over it, without copying. Owned by the reader that made it; not
 * safe for other threads. The bytes that it shows never change, so slices of {@link #array()} may be kept and must not be
 * written to.
 */
public final class RecordView {
  /** The array that holds key and value. */
  public byte[] array() {
    throw new UnsupportedOperationException();
  }

  /** Where the key starts in the array. */
  public int keyOffset() {
    throw new UnsupportedOperationException();
  }

  /** Bytes of the key. */
  public int keyLength() {
    throw new UnsupportedOperationException();
  }

  /** Where the value starts in the array. */
  public int valueOffset() {
    throw new UnsupportedOperationException();
  }

  /** Bytes of the value; 0 for a deletion. */
  public int valueLength() {
    throw new UnsupportedOperationException();
  }

  /** The place of this change in the table's order. */
  public long sequence() {
    throw new UnsupportedOperationException();
  }

  /** Kafka's partition. */
  public int partition() {
    throw new UnsupportedOperationException();
  }

  /** Kafka's offset; of an {@linkplain #expired() expired} one, the offset of the record that vanished. */
  public long offset() {
    throw new UnsupportedOperationException();
  }

  /** Kafka's timestamp in ms since the epoch; -1 if the record has none. */
  public long timestamp() {
    throw new UnsupportedOperationException();
  }

  /** Whether this is a deletion: a tombstone, or an expired key. */
  public boolean deletion() {
    throw new UnsupportedOperationException();
  }

  /** Whether this is a deletion that no record stands for: the start of the log moved past the key's record. */
  public boolean expired() {
    throw new UnsupportedOperationException();
  }

  /**
   * Whether the key has been seen in several partitions, so that this record may have become the newest without being new:
   * its offset says nothing of whether a client has it.
   */
  public boolean contested() {
    throw new UnsupportedOperationException();
  }

  /** Whether a newer record of the key is known: shown only by {@link Cursor#nextOfAny}. */
  public boolean dead() {
    throw new UnsupportedOperationException();
  }
}
