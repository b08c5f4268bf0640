package io.tablecast.table;

import java.util.Arrays;

/**
 * Which leader epochs wrote a partition's log, as far as it has been read (KIP-320): what tells a
 * log that was cut off and grew again from the one before. Immutable, and equal only to itself.
 */
public final class LeaderEpochs {
  /** Nothing has been read. */
  public static final LeaderEpochs NONE = new LeaderEpochs(new int[0], new long[0]);

  private final int[] epochs;

  /** Ascending, like the epochs: the first offset that is known to be of the epoch. */
  private final long[] offsets;

  private LeaderEpochs(int[] epochs, long[] offsets) {
    this.epochs = epochs;
    this.offsets = offsets;
  }

  /** The newest epoch; -1 if none is known. */
  public int newest() {
    return epochs.length == 0 ? -1 : epochs[epochs.length - 1];
  }

  /** The epoch of the last record before this offset; -1 if none is known. */
  public int before(long offset) {
    int at = Arrays.binarySearch(offsets, offset);
    int smaller = at >= 0 ? at : -at - 1;
    return smaller == 0 ? -1 : epochs[smaller - 1];
  }

  /** With what a record, or the end of what was read, says: this offset is of this epoch. */
  public LeaderEpochs with(int epoch, long offset) {
    int n = epochs.length;
    if (epoch <= newest() || n > 0 && offset <= offsets[n - 1]) {
      return this;
    }
    int[] more = Arrays.copyOf(epochs, n + 1);
    long[] at = Arrays.copyOf(offsets, n + 1);
    more[n] = epoch;
    at[n] = offset;
    return new LeaderEpochs(more, at);
  }

  @Override
  public String toString() {
    return Arrays.toString(epochs) + " from " + Arrays.toString(offsets);
  }
}
