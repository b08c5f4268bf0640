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
  private static final int ALIKE = 2;

  /** How long after the last rewriting its room is given back, in ms. */
  private static final long REST = 10_000;

  private final TableSettings settings;
  private final LongSupplier clock;
  private final Log log;
  private final KeyIndex index;
  private final KeyHash hashes;
  private final DroppedMarks dropped;
  private final Rewrite rewrite;

  /** In the index, but not in the log any more. */
  private final Forgotten forgotten;

  /** Where to look next, so that a busy place does not keep others from their turn. */
  private int next;

  private long now;
  private long rewrittenAt;
  private long retention;

  Cleaner(
      TableSettings settings,
      LongSupplier clock,
      Log log,
      KeyIndex index,
      KeyHash hashes,
      DroppedMarks dropped,
      Forgotten forgotten,
      Rewrite rewrite) {
    this.settings = settings;
    this.clock = clock;
    this.log = log;
    this.index = index;
    this.hashes = hashes;
    this.dropped = dropped;
    this.forgotten = forgotten;
    this.rewrite = rewrite;
  }

  /** Does one step; returns whether there is another. */
  boolean clean(long retention) {
    this.retention = retention;
    this.now = clock.getAsLong();
    int at = find(log.segments());
    if (at < 0) {
      if (now - rewrittenAt > REST) {
        rewrite.rest();
      }
      return false;
    }
    rewriteAround(at);
    rewrittenAt = now;
    return find(log.segments()) >= 0;
  }

  private void rewriteAround(int at) {
    Segments segments = log.segments();
    int from = at;
    int to = at + 1;
    long bytes = segments.get(at).liveBytes();
    while (true) {
      if (to < segments.count() - 1 && suits(segments, from, to, to, bytes)) {
        bytes += segments.get(to++).liveBytes();
      } else if (from > 0 && suits(segments, from - 1, to - 1, from - 1, bytes)) {
        bytes += segments.get(--from).liveBytes();
      } else {
        break;
      }
    }
    log.replace(from, to, rewrite.of(segments, from, to, this::drops));
    next = from + 1;
  }

  private int find(Segments segments) {
    int sealed = segments.count() - 1;
    for (int i = 0; i < sealed; i++) {
      int at = (next + i) % sealed;
      if (isDirty(segments.get(at)) || isSmall(segments, at)) {
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

  /** Whether this and the next one should be one: both are small, and much alike. */
  private boolean isSmall(Segments segments, int at) {
    if (at + 2 >= segments.count()) {
      return false;
    }
    long one = segments.get(at).liveBytes();
    long other = segments.get(at + 1).liveBytes();
    return one + other <= settings.segmentBytes() / 2
        && one <= ALIKE * other
        && suits(segments, at, at + 1, at + 1, one);
  }

  /**
   * Whether a neighbour is rewritten together with segments that hold so much: only if it is not
   * much larger, or what is large would be copied again and again for the sake of what is small.
   *
   * @param first of the segments then
   * @param last of them, inclusive
   */
  private boolean suits(Segments segments, int first, int last, int neighbour, long bytes) {
    long more = segments.get(neighbour).liveBytes();
    return more <= ALIKE * bytes
        && bytes + more <= settings.segmentBytes()
        && segments.get(last).lastSequence() - segments.get(first).firstSequence
            < Integer.MAX_VALUE;
  }

  private boolean drops(Segment segment, RecordView deletion) {
    if (!isOld(segment)) {
      return false;
    }
    forgotten.add(
        hashes.of(deletion.array(), deletion.keyOffset(), deletion.keyLength()),
        deletion.sequence());
    dropped.add(deletion);
    return true;
  }

  /**
   * Takes what was dropped out of the index: with the publication, not before, or a look-up would
   * miss a deletion that no published mark tells of.
   */
  void forget() {
    forgotten.each(
        (hash, sequence) -> {
          int position = index.position(hash, sequence);
          if (position >= 0) {
            index.remove(position);
          }
        });
    forgotten.clear();
  }

  /** The table has started over. */
  void startOver() {
    forgotten.clear();
    next = 0;
  }
}
