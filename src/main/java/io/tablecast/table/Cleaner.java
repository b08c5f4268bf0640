package io.tablecast.table;

import java.util.function.LongSupplier;

/**
 * Rewrites sealed segments that are dirty, and merges small neighbours. Deletions that are old
 * enough count as dirt. Writer only.
 *
 * <p>A deletion's age is counted from when its segment was sealed, so it is never forgotten too
 * early; what the last segment holds is kept until that is full.
 */
final class Cleaner {
  private final TableSettings settings;
  private final LongSupplier clock;
  private final Log log;
  private final KeyIndex index;
  private final KeyHash hashes;
  private final DroppedMarks dropped;

  /** Where to look next, so that a busy place does not keep others from their turn. */
  private int next;

  private long now;
  private long retention;

  Cleaner(
      TableSettings settings,
      LongSupplier clock,
      Log log,
      KeyIndex index,
      KeyHash hashes,
      DroppedMarks dropped) {
    this.settings = settings;
    this.clock = clock;
    this.log = log;
    this.index = index;
    this.hashes = hashes;
    this.dropped = dropped;
  }

  /** Does one step; returns whether there is another. */
  boolean clean(long retention) {
    this.retention = retention;
    this.now = clock.getAsLong();
    Segment[] segments = log.segments();
    int at = find(segments);
    if (at < 0) {
      return false;
    }
    int from = firstOfRun(segments, at);
    int to = endOfRun(segments, from);
    log.replace(from, to, Rewrite.of(segments, from, to, this::drops));
    next = from + 1;
    return find(log.segments()) >= 0;
  }

  private int find(Segment[] segments) {
    int sealed = segments.length - 1;
    for (int i = 0; i < sealed; i++) {
      int at = (next + i) % sealed;
      if (isDirty(segments[at]) || isSmall(segments, at)) {
        return at;
      }
    }
    return -1;
  }

  private boolean isDirty(Segment segment) {
    long dirt = segment.deadBytes();
    if (isOld(segment)) {
      dirt += segment.deletionBytes();
    }
    return dirt > settings.dirtyRatio() * segment.written() || dirt == segment.written();
  }

  private boolean isOld(Segment segment) {
    return now - segment.sealedAt() > retention;
  }

  /** Whether this and the next one together are worth one segment less. */
  private boolean isSmall(Segment[] segments, int at) {
    return at + 2 < segments.length
        && segments[at].liveBytes() + (long) segments[at + 1].liveBytes()
            <= settings.segmentBytes() / 2
        && distance(segments, at, at + 1) < Integer.MAX_VALUE;
  }

  /** As many as fit into one segment, from some before the one that was found. */
  private int firstOfRun(Segment[] segments, int at) {
    int from = at;
    long bytes = segments[at].liveBytes();
    while (from > 0
        && (bytes += segments[from - 1].liveBytes()) <= settings.segmentBytes()
        && distance(segments, from - 1, at) < Integer.MAX_VALUE) {
      from--;
    }
    return from;
  }

  private int endOfRun(Segment[] segments, int from) {
    int to = from + 1;
    long bytes = segments[from].liveBytes();
    while (to < segments.length - 1
        && (bytes += segments[to].liveBytes()) <= settings.segmentBytes()
        && distance(segments, from, to) < Integer.MAX_VALUE) {
      to++;
    }
    return to;
  }

  private static long distance(Segment[] segments, int from, int to) {
    return segments[to].lastSequence() - segments[from].firstSequence;
  }

  private boolean drops(Segment segment, RecordView deletion) {
    if (!isOld(segment)) {
      return false;
    }
    long hash = hashes.of(deletion.array(), deletion.keyOffset(), deletion.keyLength());
    int position = index.position(hash, deletion.sequence());
    if (position >= 0) {
      index.remove(position);
    }
    dropped.add(deletion);
    return true;
  }
}
