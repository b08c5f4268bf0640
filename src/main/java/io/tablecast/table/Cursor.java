package io.tablecast.table;

import org.jspecify.annotations.Nullable;

/**
 * A reader's place in a table's log. Owned by one reader; not safe for other threads.
 *
 * <p>Records that are dead are passed over; one that has only just died may still be shown, and its
 * successor follows. If a record has died in a version that is newer than the one read against, it
 * may be passed over although its successor lies behind the end: what was read is complete only
 * while {@link Table#isNewest} says so.
 */
public final class Cursor {
  private long position;

  /**
   * Where to go on: only a hint, which is of use while the version still has this segment there.
   */
  private @Nullable Segment segment;

  private int index;
  private int at;

  /** The sequence number before the record at {@link #at}. */
  private long previous;

  Cursor(long after) {
    position = after;
  }

  /** The sequence number after which reading goes on. */
  public long position() {
    return position;
  }

  /** Goes on after this sequence number; any number is allowed. */
  public void seek(long sequence) {
    position = sequence;
    segment = null;
  }

  /**
   * Moves to the next record and shows it.
   *
   * @param version up to whose end to read; each call may bring a newer one, never an older one
   * @param into is set to the record
   * @return false when there is none: then the position is the version's end, or still beyond it if
   *     that is where it was
   */
  public boolean next(Version version, RecordView into) {
    return next(version, into, false);
  }

  /**
   * As {@link #next}, with dead records that have not been cleaned away shown too: for counting
   * what was superseded.
   */
  public boolean nextOfAny(Version version, RecordView into) {
    return next(version, into, true);
  }

  private boolean next(Version version, RecordView into, boolean any) {
    if (position >= version.end()) {
      return false;
    }
    Segment in = hinted(version);
    if (in == null) {
      in = locate(version, into);
    }
    while (in != null) {
      if (next(in, version.limit(index), into, any)) {
        return true;
      }
      in = enter(version, index + 1);
    }
    position = version.end();
    return false;
  }

  /**
   * The cleaner may have put another segment in its place; records that died since are marked only
   * there.
   */
  private @Nullable Segment hinted(Version version) {
    Segment hint = segment;
    return hint != null && index < version.segmentCount() && version.segment(index) == hint
        ? hint
        : null;
  }

  private @Nullable Segment locate(Version version, RecordView scratch) {
    int found = version.segmentOf(position);
    Segment in = enter(version, Math.max(found, 0));
    if (found < 0 || in == null) {
      return in;
    }
    if (!in.locateAfter(position, version.limit(found), scratch)) {
      return enter(version, found + 1);
    }
    at = scratch.start();
    previous = scratch.before();
    return in;
  }

  private @Nullable Segment enter(Version version, int to) {
    Segment in = to < version.segmentCount() ? version.segment(to) : null;
    if (in != null) {
      segment = in;
      index = to;
      at = 0;
      previous = in.firstSequence;
    }
    return in;
  }

  private boolean next(Segment in, int limit, RecordView into, boolean any) {
    int from = at;
    long before = previous;
    while (from < limit) {
      into.show(in, from, before);
      from = into.end();
      before = into.sequence();
      if (any || !into.dead()) {
        at = from;
        previous = before;
        position = before;
        return true;
      }
    }
    at = from;
    previous = before;
    return false;
  }
}
