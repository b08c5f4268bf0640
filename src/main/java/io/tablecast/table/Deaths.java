package io.tablecast.table;

import java.util.Arrays;

/**
 * The places of published records that were superseded since the last publication: they are marked
 * dead when their successors are published, not before, or a reader could miss both. Writer only.
 */
final class Deaths {
  private static final int KEPT = 1 << 16;

  private Segment[] segments = new Segment[16];
  private int[] positions = new int[16];
  private int count;

  void add(Segment segment, int position) {
    if (count == positions.length) {
      segments = Arrays.copyOf(segments, 2 * count);
      positions = Arrays.copyOf(positions, 2 * count);
    }
    segments[count] = segment;
    positions[count++] = position;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Marks them all dead and forgets them. */
  void apply() {
    for (int i = 0; i < count; i++) {
      segments[i].flag(positions[i], RecordFormat.DEAD);
    }
    clear();
  }

  void clear() {
    if (count > KEPT) {
      segments = new Segment[16];
      positions = new int[16];
    } else {
      Arrays.fill(segments, 0, count, null);
    }
    count = 0;
  }
}
