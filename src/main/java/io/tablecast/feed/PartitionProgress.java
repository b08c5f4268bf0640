package io.tablecast.feed;

import io.tablecast.table.LeaderEpochs;
import io.tablecast.table.PartitionFrontier;

/**
 * How far one partition has been read since the table (re)started, and what is known of its log.
 * Feed thread only.
 */
final class PartitionProgress {
  private static final long UNKNOWN = -1;

  private final int partition;
  private long next = UNKNOWN;
  private int leaderEpoch = -1;
  private LeaderEpochs epochs = LeaderEpochs.NONE;
  private long start = UNKNOWN;

  /** The start up to which the table has been cut: what lay before it is gone from there, too. */
  private long applied = UNKNOWN;

  private long origin = UNKNOWN;
  private long end = UNKNOWN;
  private long target = UNKNOWN;
  private long caughtUpAt = Long.MAX_VALUE;
  private long startToApply = UNKNOWN;

  /** The highest end, and the first start, that a check has found: a log does not go back. */
  private long highestEnd = UNKNOWN;

  private long firstStart = UNKNOWN;

  /** How many checks in a row have found another log than those before. */
  private int timesOther;

  /** What {@link #read} was when the last check began: up to there nothing was jumped over. */
  private long readAtLastCheck = UNKNOWN;

  PartitionProgress(int partition) {
    this.partition = partition;
  }

  /**
   * Everything before this offset that can be read has been applied; what lies before the log's
   * start can't be read.
   */
  long position() {
    return Math.max(0, Math.max(next, applied));
  }

  /** The position that reading itself has reached; -1 while nothing has been read. */
  long read() {
    return next;
  }

  /** Offsets between the position and the newest known end. */
  long lag() {
    return Math.max(0, end - position());
  }

  /** Offsets between where the log started and the position. */
  long done() {
    return Math.max(0, position() - Math.max(0, origin));
  }

  /**
   * Whether a record lies before the log's start, so that a new reader would not see it any more.
   */
  boolean expired(long offset) {
    return offset < start;
  }

  /**
   * Whether this offset, or position, is one that reading had passed already: the log has been cut
   * off and grown again.
   */
  boolean back(long offset) {
    return offset < next;
  }

  /** A record has been read. */
  void read(long offset, int epoch) {
    epochs = epochs.with(epoch, offset);
  }

  /** Reading has come to this position. */
  void advance(long position, int epoch) {
    epochs = epochs.with(epoch, position - 1);
    next = position;
    leaderEpoch = epoch;
  }

  /** Whether the position is at or after this end. */
  boolean reached(long end) {
    return position() >= end;
  }

  /** Notes when the target was reached. */
  void settle(long now) {
    if (caughtUpAt == Long.MAX_VALUE && target >= 0 && reached(target)) {
      caughtUpAt = now;
    }
  }

  TableState.Progress progress() {
    return new TableState.Progress(partition, position(), target);
  }

  PartitionFrontier frontier() {
    return new PartitionFrontier(
        position(), leaderEpoch, Math.max(0, applied), Math.max(0, origin), caughtUpAt, epochs);
  }

  /**
   * Takes over what a check found; the first one since the (re)start sets the target.
   *
   * @param readBefore what {@link #read} was when the check began
   * @return whether it has twice been found that this is not the log that was read, or that earlier
   *     checks spoke of: it ends or starts before where it did. Then it has been cut off; or the
   *     first answer was of a log that was just being deleted, whose name and place this one has
   *     got. Once may be an old leader's answer
   */
  boolean bounds(TopicAnswer.Bounds bounds, long readBefore) {
    end = bounds.end();
    if (target == UNKNOWN) {
      target = end;
    }
    if (origin == UNKNOWN) {
      origin = bounds.start();
    }
    startsAt(bounds.start(), readAtLastCheck);
    readAtLastCheck = readBefore;
    return isOther(bounds, readBefore);
  }

  private boolean isOther(TopicAnswer.Bounds bounds, long readBefore) {
    if (firstStart == UNKNOWN) {
      firstStart = bounds.start();
    }
    boolean other =
        bounds.end() < readBefore || bounds.end() < highestEnd || bounds.start() < firstStart;
    highestEnd = Math.max(highestEnd, bounds.end());
    timesOther = other ? timesOther + 1 : 0;
    return timesOther >= 2;
  }

  /**
   * Reading is about to jump over deleted records, to this start of the log. To be called before
   * what was read there is applied.
   */
  void passed(long newStart) {
    startsAt(newStart, next);
  }

  /**
   * Takes over a start of the log, unless a later one is known.
   *
   * @param surelyRead up to where nothing was jumped over; from there on records may be gone that
   *     nobody here knows
   */
  private void startsAt(long newStart, long surelyRead) {
    if (newStart <= start) {
      return;
    }
    if (next > UNKNOWN || start > UNKNOWN) {
      startToApply = newStart;
    } else {
      applied = newStart;
    }
    start = newStart;
    if (newStart > surelyRead) {
      origin = newStart;
    }
  }

  /**
   * The log's new start, once everything before it has been read or can't be any more; each is
   * returned once, -1 if there is none.
   *
   * <p>Not before: an older record of a key may have been deleted while a newer one is still on its
   * way.
   */
  long takeStart() {
    if (startToApply == UNKNOWN || !(next >= startToApply || end <= startToApply)) {
      return UNKNOWN;
    }
    long taken = startToApply;
    startToApply = UNKNOWN;
    applied = taken;
    return taken;
  }
}
