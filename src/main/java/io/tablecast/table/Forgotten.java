package io.tablecast.table;

import java.util.Arrays;

/**
 * Deletions that were dropped since the last publication, by the hash of their key. Writer only.
 */
final class Forgotten {
  private static final int KEPT = 1 << 12;

  /** What is done with each of them. */
  interface Action {
    void accept(long hash, long sequence);
  }

  private long[] pairs = new long[16];
  private int size;

  void add(long hash, long sequence) {
    if (size == pairs.length) {
      pairs = Arrays.copyOf(pairs, 2 * size);
    }
    pairs[size++] = hash;
    pairs[size++] = sequence;
  }

  int size() {
    return size / 2;
  }

  void each(Action action) {
    for (int i = 0; i < size; i += 2) {
      action.accept(pairs[i], pairs[i + 1]);
    }
  }

  void clear() {
    size = 0;
    if (pairs.length > KEPT) {
      pairs = new long[16];
    }
  }
}
