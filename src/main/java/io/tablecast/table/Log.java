package io.tablecast.table;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a table, and what they add up to. Written by the writer; {@link #segments} is for
 * any thread.
 */
final class Log {
  private static final int LEAST_CAPACITY = 16 << 10;

  /** A new segment takes this share of the log at most, so that the slack in the last is small. */
  private static final int SHARE = 128;

  /** A full segment that has more than this share left is cut to size. */
  private static final int LEFT = 64;

  private final int segmentBytes;
  private final LongSupplier clock;
  private final Rewrite rewrite;

  /** Also what is not published yet. */
  private volatile Segments segments = Segments.NONE;

  private long lastSequence;

  private long sealedBytes;

  private long deadBytes;

  Log(int segmentBytes, LongSupplier clock, Rewrite rewrite) {
    this.segmentBytes = segmentBytes;
    this.clock = clock;
    this.rewrite = rewrite;
  }

  /** Any thread. */
  Segments segments() {
    return segments;
  }

  /**
   * Makes sure that appending such a record will not move others: to be called before looking at a
   * record that is to be marked afterwards.
   */
  void makeRoom(int keyLength, int valueLength) {
    Segments all = segments;
    if (all.count() > 0 && !all.last().hasRoom(keyLength, valueLength)) {
      sealTail();
    }
  }

  /**
   * Appends a record with the next sequence number, which it returns. There must be {@linkplain
   * #makeRoom room}.
   */
  long append(
      int flags, int partition, long offset, long timestamp, byte[] key, byte @Nullable [] value) {
    byte[] bytes = value == null ? key : value;
    int length = value == null ? 0 : value.length;
    return append(flags, partition, offset, timestamp, key, 0, key.length, bytes, length);
  }

  /** Like the above, with a key that lies in a larger array; without a value. */
  long append(
      int flags, int partition, long offset, long timestamp, byte[] key, int from, int length) {
    return append(flags, partition, offset, timestamp, key, from, length, key, 0);
  }

  private long append(
      int flags,
      int partition,
      long offset,
      long timestamp,
      byte[] key,
      int keyFrom,
      int keyLength,
      byte[] value,
      int valueLength) {
    long sequence = lastSequence + 1;
    Segments all = segments;
    boolean fits = all.count() > 0 && all.last().hasRoom(keyLength, valueLength);
    Segment to =
        fits
            ? all.last()
            : new Segment(capacity(partition, keyLength, valueLength), sequence, offset, timestamp);
    to.append(
        flags,
        sequence,
        partition,
        offset,
        timestamp,
        key,
        keyFrom,
        keyLength,
        value,
        0,
        valueLength);
    lastSequence = sequence;
    if (!fits) {
      segments = all.with(to);
    }
    return sequence;
  }

  /** Of a new segment, given its first record. */
  private int capacity(int partition, int keyLength, int valueLength) {
    long share = Math.max(LEAST_CAPACITY, allocated() / SHARE);
    int least = RecordFormat.firstRecordBytes(partition, keyLength, valueLength);
    return Math.max(least, (int) Math.min(segmentBytes, share));
  }

  private void sealTail() {
    int tail = segments.count() - 1;
    Segment segment = segments.get(tail);
    if (segment.isSealed()) {
      return;
    }
    segment.seal(clock.getAsLong());
    sealedBytes += segment.allocated();
    if (segment.bytes.length - segment.written() > segment.bytes.length / LEFT) {
      replace(tail, tail + 1, rewrite.withoutDead(segment));
    }
  }

  /**
   * Puts one segment, or none, in the place of several sealed ones.
   *
   * @param to exclusive
   */
  void replace(int from, int to, @Nullable Segment by) {
    Segments all = segments;
    for (int i = from; i < to; i++) {
      sealedBytes -= all.get(i).allocated();
      deadBytes -= all.get(i).deadBytes();
    }
    if (by == null) {
      segments = all.with(from, to);
    } else {
      sealedBytes += by.allocated();
      segments = all.with(from, to, by);
    }
  }

  /** Marks a record that this view shows as it lies in the log now. */
  void kill(Segment segment, RecordView record, int flag) {
    segment.kill(record, flag);
    deadBytes += record.length();
  }

  /** Empties the log; sequence numbers go on. */
  void clear() {
    segments = Segments.NONE;
    sealedBytes = 0;
    deadBytes = 0;
  }

  long lastSequence() {
    return lastSequence;
  }

  /** Bytes that the segments take. */
  long allocated() {
    Segments all = segments;
    boolean open = all.count() > 0 && !all.last().isSealed();
    return open ? sealedBytes + all.last().allocated() : sealedBytes;
  }

  long deadBytes() {
    return deadBytes;
  }
}
