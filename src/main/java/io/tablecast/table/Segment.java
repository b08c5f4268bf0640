package io.tablecast.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A run of records, in the order of their sequence numbers. Only the last segment of a log grows. A
 * record's bytes never change once they are written, but for the flags that say that it is dead.
 *
 * <p>The writer alone calls what appends and counts; any thread may call {@link #written}, {@link
 * #locate} and {@link #below}.
 */
final class Segment {
  private static final int MARK_EVERY = 8;
  private static final VarHandle WRITTEN;
  private static final VarHandle MARKS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      WRITTEN = lookup.findVarHandle(Segment.class, "written", int.class);
      MARKS = lookup.findVarHandle(Segment.class, "marks", int[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final byte[] bytes;
  final long firstSequence;
  final long firstOffset;
  final long firstTimestamp;

  private final PartitionRanges ranges;

  /** Set after the record's bytes, with release. */
  private int written;

  /**
   * Of every 8th record: the sequence number before it, less the first one, and its position. The
   * rest of the array holds {@link Integer#MAX_VALUE}, so a reader needs no count.
   */
  private int[] marks;

  private int records;
  private long lastSequence;
  private int deadRecords;
  private int deadBytes;
  private int deletionBytes;
  private boolean sealed;
  private long sealedAt;

  Segment(int capacity, long firstSequence, long firstOffset, long firstTimestamp) {
    this(new byte[capacity], firstSequence, firstOffset, firstTimestamp);
  }

  /** In an array that holds anything; shared with nobody until this one is not used any more. */
  Segment(byte[] bytes, long firstSequence, long firstOffset, long firstTimestamp) {
    this.bytes = bytes;
    this.firstSequence = firstSequence;
    this.firstOffset = firstOffset;
    this.firstTimestamp = firstTimestamp;
    this.lastSequence = firstSequence;
    this.ranges = new PartitionRanges();
    this.marks = unusedMarks(4);
  }

  /** The same segment in an array that is not larger than needed. */
  private Segment(Segment from) {
    bytes = Arrays.copyOf(from.bytes, from.written);
    firstSequence = from.firstSequence;
    firstOffset = from.firstOffset;
    firstTimestamp = from.firstTimestamp;
    lastSequence = from.lastSequence;
    ranges = from.ranges;
    written = from.written;
    marks = Arrays.copyOf(from.marks, 2 * ((from.records + MARK_EVERY - 1) / MARK_EVERY));
    records = from.records;
    deadRecords = from.deadRecords;
    deadBytes = from.deadBytes;
    deletionBytes = from.deletionBytes;
    sealed = from.sealed;
    sealedAt = from.sealedAt;
  }

  /** Must not have been seen by anyone: flags that are set later would be missed. */
  Segment trimmed() {
    return new Segment(this);
  }

  /** Whether a record of this length may be appended. */
  boolean hasRoom(int keyLength, int valueLength) {
    return !sealed
        && (long) RecordFormat.MAX_HEADER + keyLength + valueLength <= bytes.length - written;
  }

  /** The sequence number must be higher than any here, the room must be there. */
  void append(
      int flags,
      long sequence,
      int partition,
      long offset,
      long timestamp,
      byte[] key,
      int keyFrom,
      int keyLength,
      byte[] value,
      int valueFrom,
      int valueLength) {
    byte[] to = bytes;
    int at = written;
    mark(at);
    to[at++] = (byte) flags;
    at = RecordFormat.writeVarint(to, at, sequence - lastSequence);
    at = RecordFormat.writeVarint(to, at, partition);
    at = RecordFormat.writeVarint(to, at, RecordFormat.zigzag(offset - firstOffset));
    at = RecordFormat.writeVarint(to, at, RecordFormat.zigzag(timestamp - firstTimestamp));
    at = RecordFormat.writeVarint(to, at, keyLength);
    at = RecordFormat.writeVarint(to, at, valueLength);
    System.arraycopy(key, keyFrom, to, at, keyLength);
    at += keyLength;
    System.arraycopy(value, valueFrom, to, at, valueLength);
    at += valueLength;
    count(flags, partition, offset, at - written);
    lastSequence = sequence;
    records++;
    WRITTEN.setRelease(this, at);
  }

  private void mark(int position) {
    if (records % MARK_EVERY != 0) {
      return;
    }
    int at = 2 * (records / MARK_EVERY);
    if (at == marks.length) {
      int[] more = unusedMarks(at / 2 + at / 4 + 1);
      System.arraycopy(marks, 0, more, 0, at);
      MARKS.setRelease(this, more);
    }
    marks[at] = (int) (lastSequence - firstSequence);
    marks[at + 1] = position;
  }

  private static int[] unusedMarks(int count) {
    int[] unused = new int[2 * count];
    Arrays.fill(unused, Integer.MAX_VALUE);
    return unused;
  }

  private void count(int flags, int partition, long offset, int length) {
    boolean unplaced = (flags & (RecordFormat.EXPIRED | RecordFormat.CONTESTED)) != 0;
    ranges.addHighest(partition, unplaced ? Long.MAX_VALUE : offset);
    if ((flags & RecordFormat.DELETION) != 0) {
      deletionBytes += length;
    } else {
      ranges.addPut(partition, offset);
    }
  }

  /** Marks a record of this segment. */
  void kill(RecordView record, int flag) {
    bytes[record.start()] |= (byte) flag;
    deadRecords++;
    deadBytes += record.length();
    if (record.deletion()) {
      deletionBytes -= record.length();
    }
  }

  /** Adds a flag, without counting. */
  void flag(int position, int flag) {
    bytes[position] |= (byte) flag;
  }

  /** The record's offset no longer says whether a client has it: its key has another partition. */
  void contest(RecordView record) {
    flag(record.start(), RecordFormat.CONTESTED);
    ranges.addHighest(record.partition(), Long.MAX_VALUE);
  }

  /** Nothing will be appended any more. */
  void seal(long now) {
    sealed = true;
    sealedAt = now;
  }

  boolean isSealed() {
    return sealed;
  }

  /** Bytes of complete records. Any thread. */
  int written() {
    return (int) WRITTEN.getAcquire(this);
  }

  /**
   * Shows the record with a sequence number, dead or alive. Any thread.
   *
   * @return false if it is not here; the view then shows any other record
   */
  boolean locate(long sequence, RecordView into) {
    return locateFrom(sequence, written(), into) && into.sequence() == sequence;
  }

  /**
   * Shows the first record after a sequence number, dead or alive. Any thread.
   *
   * @param limit where the records end
   * @return false if there is none
   */
  boolean locateAfter(long sequence, int limit, RecordView into) {
    return locateFrom(sequence + 1, limit, into);
  }

  /** Shows the first record with this sequence number or a higher one. */
  private boolean locateFrom(long sequence, int limit, RecordView into) {
    int[] known = (int[]) MARKS.getAcquire(this);
    int mark = markBefore(known, sequence);
    int at = known[mark + 1];
    long previous = firstSequence + known[mark];
    while (at < limit) {
      // Most records on the way have a difference of one byte, and need not be shown.
      long next = previous + bytes[at + 1];
      if (next >= sequence || next < previous) {
        into.show(this, at, previous);
        next = into.sequence();
        if (next >= sequence) {
          return true;
        }
      }
      at = RecordFormat.end(bytes, at);
      previous = next;
    }
    return false;
  }

  /** Index of the last mark that lies before or at a sequence number. */
  private int markBefore(int[] known, long sequence) {
    long distance = sequence - firstSequence;
    if (distance <= 0) {
      return 0;
    }
    int high = (int) Math.min(distance / MARK_EVERY, known.length / 2 - 1);
    // In a segment that was never cleaned this is it; elsewhere it lies further ahead.
    if (known[2 * high] < distance) {
      return 2 * high;
    }
    int low = 0;
    while (low + 1 < high) {
      int middle = (low + high) >>> 1;
      if (known[2 * middle] < distance) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return 2 * low;
  }

  /** Whether nothing here is at or above these offsets. Any thread. */
  boolean below(long[] next) {
    return ranges.below(next);
  }

  long lowestPut(int partition) {
    return ranges.lowestPut(partition);
  }

  void setLowestPut(int partition, long offset) {
    ranges.setLowestPut(partition, offset);
  }

  long lastSequence() {
    return lastSequence;
  }

  int liveRecords() {
    return records - deadRecords;
  }

  int liveBytes() {
    return written - deadBytes;
  }

  int deadBytes() {
    return deadBytes;
  }

  /** Bytes of deletions that are alive. */
  int deletionBytes() {
    return deletionBytes;
  }

  long sealedAt() {
    return sealedAt;
  }

  /** Bytes that this segment takes. */
  long allocated() {
    return (long) bytes.length + (long) Integer.BYTES * marks.length + ranges.bytes();
  }
}
