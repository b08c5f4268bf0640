package io.tablecast.fanout;

import java.util.Arrays;
import java.util.function.LongPredicate;

/** Ascending sequence numbers in one array. Hub thread. */
final class SequenceQueue {
  private long[] array = new long[4];
  private int size;

  void add(long sequence) {
    if (size == array.length) {
      array = Arrays.copyOf(array, size * 2);
    }
    array[size++] = sequence;
  }

  int size() {
    return size;
  }

  long get(int index) {
    return array[index];
  }

  /** The index of the first number greater than this one; the size if there is none. */
  int after(long sequence) {
    if (size == 0 || array[size - 1] <= sequence) {
      return size;
    }
    int i = Arrays.binarySearch(array, 0, size, sequence);
    return i >= 0 ? i + 1 : -i - 1;
  }

  void clear() {
    size = 0;
    if (array.length > 64) {
      array = new long[4];
    }
  }

  /** Keeps only those that pass. */
  void retain(LongPredicate keep) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (keep.test(array[i])) {
        array[kept++] = array[i];
      }
    }
    size = kept;
    if (size < array.length / 4 && array.length > 64) {
      array = Arrays.copyOf(array, Math.max(4, size * 2));
    }
  }
}
