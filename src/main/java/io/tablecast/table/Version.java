package io.tablecast.table;

/** One published state of a table: what readers read against. Immutable. */
public final class Version {
  private final long number;
  private final int incarnation;
  private final Segments segments;
  private final int tailLimit;
  private final long end;
  private final int size;
  private final long dropped;
  private final long[] droppedOffsets;
  private final long[] droppedExpiries;
  private final Status status;
  private final long logBytes;
  private final long deadBytes;
  private final long indexBytes;

  Version(
      long number,
      int incarnation,
      Log log,
      KeyIndex index,
      int size,
      DroppedMarks dropped,
      Status status) {
    this.number = number;
    this.incarnation = incarnation;
    this.segments = log.segments();
    this.tailLimit = segments.count() == 0 ? 0 : segments.last().written();
    this.end = log.lastSequence();
    this.size = size;
    this.dropped = dropped.sequence();
    this.droppedOffsets = dropped.offsets();
    this.droppedExpiries = dropped.expiries();
    this.status = status;
    this.logBytes = log.allocated();
    this.deadBytes = log.deadBytes();
    this.indexBytes = index.bytes();
  }

  /** How often the table has started over; a reader that sees it change must start over too. */
  public int incarnation() {
    return incarnation;
  }

  /** Sequence number of the newest published change; 0 before the first. The first change has 1. */
  public long end() {
    return end;
  }

  /** Number of keys that have a value. */
  public int size() {
    return size;
  }

  /**
   * Highest sequence number of a tombstone that has been dropped for its age; 0 if none. A reader
   * on its way from before it may have missed a deletion.
   */
  public long dropped() {
    return dropped;
  }

  /**
   * Highest offset of a tombstone of this partition that has been dropped for its age, expiries
   * apart; -1 if none.
   */
  public long droppedOffset(int partition) {
    return partition < droppedOffsets.length ? droppedOffsets[partition] : -1;
  }

  /**
   * Highest offset of an {@linkplain RecordView#expired() expired} deletion of this partition (that
   * is, of the record that vanished) that has been dropped for its age; -1 if none. A dropped
   * expiry does not count for {@link #droppedOffset}.
   */
  public long droppedExpiry(int partition) {
    return partition < droppedExpiries.length ? droppedExpiries[partition] : -1;
  }

  /** What the feed said last. */
  public Status status() {
    return status;
  }

  /** Bytes that the log takes, dead records and room for more included. */
  public long logBytes() {
    return logBytes;
  }

  /** Bytes of dead records in the log. */
  public long deadBytes() {
    return deadBytes;
  }

  /** Bytes of the index. */
  public long indexBytes() {
    return indexBytes;
  }

  /**
   * A sequence number after which every record lies whose offset is at or above {@code next} of its
   * partition, every record of a partition beyond the array, every {@linkplain RecordView#expired()
   * expired} and every {@linkplain RecordView#contested() contested} one. As large as is cheap to
   * find (whole segments are passed over).
   */
  public long before(long[] next) {
    for (int i = 0; i < segments.count(); i++) {
      Segment segment = segments.get(i);
      if (!segment.below(next)) {
        return segment.firstSequence - 1;
      }
    }
    return end;
  }

  /** Counts publications. */
  long number() {
    return number;
  }

  int segmentCount() {
    return segments.count();
  }

  Segment segment(int index) {
    return segments.get(index);
  }

  /** Index of the only segment that may hold a sequence number; -1 if it lies before them all. */
  int segmentOf(long sequence) {
    return segments.indexOf(sequence);
  }

  /** Where the published records of a segment end. */
  int limit(int index) {
    return index == segments.count() - 1 ? tailLimit : segments.get(index).written();
  }

  /** Shows the record with a sequence number up to the end, dead or alive; false if it is gone. */
  boolean locate(long sequence, RecordView into) {
    return segments.locate(sequence, into);
  }
}
