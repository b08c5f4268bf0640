package io.tablecast.table;

import org.jspecify.annotations.Nullable;

/**
 * Copies what is alive in some segments into one new segment. How long that gets is known only
 * afterwards, so it is first written to an array that is kept for the next time. Writer only.
 */
final class Rewrite {
  /** Decides which deletions are left out, and takes note of it. */
  interface Dropping {
    /** Whether to leave out this record, which is alive and a deletion of that segment. */
    boolean drops(Segment segment, RecordView deletion);
  }

  /** A larger one, for the sake of a large record, is not kept. */
  private static final int MOST_KEPT = 2 << 20;

  private static final byte[] NONE = {};

  private byte[] kept = NONE;

  /** Returns null when nothing is alive. */
  @Nullable Segment withoutDead(Segment segment) {
    return of(Segments.NONE.with(segment), 0, 1, (s, r) -> false);
  }

  /**
   * Copies the segments {@code from} to {@code to} (exclusive).
   *
   * @return null when nothing is left
   */
  @Nullable Segment of(Segments segments, int from, int to, Dropping dropping) {
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
  private Segment target(Segments segments, int from, int to, RecordView first) {
    long capacity = 0;
    for (int i = from; i < to; i++) {
      capacity += segments.get(i).liveBytes();
      capacity += (long) segments.get(i).liveRecords() * RecordFormat.MAX_HEADER;
    }
    int bytes = (int) Math.min(capacity, Integer.MAX_VALUE - 8);
    return new Segment(room(bytes), first.sequence(), first.offset(), first.timestamp());
  }

  /** An array of at least this length. */
  private byte[] room(int bytes) {
    if (bytes <= kept.length) {
      return kept;
    }
    byte[] room = new byte[bytes];
    if (bytes <= MOST_KEPT) {
      kept = room;
    }
    return room;
  }

  /** Nothing is to be copied for a while. */
  void rest() {
    kept = NONE;
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
