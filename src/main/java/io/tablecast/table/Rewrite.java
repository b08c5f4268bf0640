package io.tablecast.table;

import org.jspecify.annotations.Nullable;

/** Copies what is alive in some segments into one new segment. Writer only. */
final class Rewrite {
  /** Decides which deletions are left out, and takes note of it. */
  interface Dropping {
    /** Whether to leave out this record, which is alive and a deletion of that segment. */
    boolean drops(Segment segment, RecordView deletion);
  }

  private Rewrite() {}

  /** Returns null when nothing is alive. */
  static @Nullable Segment withoutDead(Segment segment) {
    return of(Segments.NONE.with(segment), 0, 1, (s, r) -> false);
  }

  /**
   * Copies the segments {@code from} to {@code to} (exclusive).
   *
   * @return null when nothing is left
   */
  static @Nullable Segment of(Segments segments, int from, int to, Dropping dropping) {
    RecordView view = new RecordView();
    long sealedAt = Long.MIN_VALUE;
    Segment copy = null;
    for (int i = from; i < to; i++) {
      Segment segment = segments.get(i);
      sealedAt = Math.max(sealedAt, segment.sealedAt());
      long previous = segment.firstSequence;
      int limit = segment.written();
      for (int at = 0; at < limit; at = view.end()) {
        view.show(segment, at, previous);
        previous = view.sequence();
        if (view.superseded() || view.deletion() && dropping.drops(segment, view)) {
          continue;
        }
        if (copy == null) {
          copy = target(segments, from, to, view);
        }
        append(copy, view);
      }
    }
    if (copy == null) {
      return null;
    }
    copy.seal(sealedAt);
    return copy.trimmed();
  }

  /** With room for the longest headers, since differences to another first record may be larger. */
  private static Segment target(Segments segments, int from, int to, RecordView first) {
    long capacity = 0;
    for (int i = from; i < to; i++) {
      capacity += segments.get(i).liveBytes();
      capacity += (long) segments.get(i).liveRecords() * RecordFormat.MAX_HEADER;
    }
    int bytes = (int) Math.min(capacity, Integer.MAX_VALUE - 8);
    return new Segment(bytes, first.sequence(), first.offset(), first.timestamp());
  }

  private static void append(Segment to, RecordView record) {
    to.append(
        record.flags(),
        record.sequence(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.array(),
        record.keyOffset(),
        record.keyLength(),
        record.array(),
        record.valueOffset(),
        record.valueLength());
  }
}
