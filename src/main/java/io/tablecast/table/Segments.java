package io.tablecast.table;

import java.util.Arrays;

/** Some segments in the order of their sequence numbers. Immutable; any thread. */
final class Segments {
  static final Segments NONE = new Segments(new Segment[0]);

  private final Segment[] all;

  /** Their first sequence numbers, side by side: a search touches few cache lines. */
  private final long[] firsts;

  private Segments(Segment[] all) {
    this.all = all;
    this.firsts = new long[all.length];
    for (int i = 0; i < all.length; i++) {
      firsts[i] = all[i].firstSequence;
    }
  }

  int count() {
    return all.length;
  }

  Segment get(int index) {
    return all[index];
  }

  /** There must be one. */
  Segment last() {
    return all[all.length - 1];
  }

  /** Index of the only segment that may hold a sequence number; -1 if it lies before them all. */
  int indexOf(long sequence) {
    int found = Arrays.binarySearch(firsts, sequence);
    return found >= 0 ? found : -found - 2;
  }

  /**
   * Shows the record with a sequence number, dead or alive.
   *
   * @return false if it is not there; the view then shows any record
   */
  boolean locate(long sequence, RecordView into) {
    int index = indexOf(sequence);
    return index >= 0 && all[index].locate(sequence, into);
  }

  Segments with(Segment last) {
    Segment[] more = Arrays.copyOf(all, all.length + 1);
    more[all.length] = last;
    return new Segments(more);
  }

  /**
   * With other segments, one or none, in the place of some.
   *
   * @param to exclusive
   */
  Segments with(int from, int to, Segment... by) {
    Segment[] next = new Segment[all.length - (to - from) + by.length];
    System.arraycopy(all, 0, next, 0, from);
    System.arraycopy(by, 0, next, from, by.length);
    System.arraycopy(all, to, next, from + by.length, all.length - to);
    return new Segments(next);
  }
}
