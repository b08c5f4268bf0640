package io.tablecast.table;

/** One published state of a table: what readers read against. Immutable. */
public final class Version {
  /** How often the table has started over; a reader that sees it change must start over too. */
  public int incarnation() {
    throw new UnsupportedOperationException();
  }

  /** Sequence number of the newest published change; 0 before the first. The first change has 1. */
  public long end() {
    throw new UnsupportedOperationException();
  }

  /** Number of keys that have a value. */
  public int size() {
    throw new UnsupportedOperationException();
  }

  /**
   * Highest sequence number of a tombstone that has been dropped for its age; 0 if none. A reader on its way from before it
   * may have missed a deletion.
   */
  public long dropped() {
    throw new UnsupportedOperationException();
  }

  /** Highest offset of a tombstone of this partition that has been dropped for its age, expiries apart; -1 if none. */
  public long droppedOffset(int partition) {
    throw new UnsupportedOperationException();
  }

  /**
   * Highest offset of an expired deletion of this partition that has been dropped for its age; -1 if none. (A dropped expiry
   * does not count for {@link #droppedOffset}.)
   */
  public long droppedExpiry(int partition) {
    throw new UnsupportedOperationException();
  }

  /** What the feed said last. */
  public Status status() {
    throw new UnsupportedOperationException();
  }

  /** Bytes of the log, dead records included. */
  public long logBytes() {
    throw new UnsupportedOperationException();
  }

  /** Bytes of dead records in the log. */
  public long deadBytes() {
    throw new UnsupportedOperationException();
  }

  /** Bytes of the index. */
  public long indexBytes() {
    throw new UnsupportedOperationException();
  }

  /**
   * A sequence number after which every record lies whose offset is at or above {@code next} of its partition, every record
   * of a partition beyond the array, every {@linkplain RecordView#expired() expired} and every {@linkplain
   * RecordView#contested() contested} one. As large as is cheap to find (whole segments are passed over).
   */
  public long before(long[] next) {
    throw new UnsupportedOperationException();
  }
}
