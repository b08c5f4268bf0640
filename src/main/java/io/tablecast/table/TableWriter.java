package io.tablecast.table;

import org.jspecify.annotations.Nullable;

/** The writing side of a table; confined to one thread. Nothing is visible to readers before {@link #publish}. */
public final class TableWriter {
  /**
   * Applies one record. Within a partition the later offset wins. Where several partitions hold the key, the one whose
   * newest record has the higher timestamp wins, at a tie the higher partition; such a key is {@linkplain #contested()
   * counted}.
   *
   * @param timestamp ms since the epoch; -1 for none
   * @param value null for a tombstone
   */
  public void apply(int partition, long offset, long timestamp, byte[] key, byte @Nullable [] value) {
    throw new UnsupportedOperationException();
  }

  /**
   * The start of a partition's log has moved: keys whose record lies before it vanish, and an expired deletion is appended
   * for each (or the record of another partition that now wins).
   *
   * @return how many records went
   */
  public int advanceStart(int partition, long startOffset) {
    throw new UnsupportedOperationException();
  }

  /** Empties the table, which starts over: the next version has the next incarnation. */
  public void startOver() {
    throw new UnsupportedOperationException();
  }

  /** Makes all that was done since the last call visible to readers, with one volatile write. */
  public Version publish(Status status) {
    throw new UnsupportedOperationException();
  }

  /**
   * One bounded step of cleaning: rewrites at most about one segment's worth of records, without what is dead and without
   * tombstones appended before {@code now - retention}. To be called between batches; the result is visible after the next
   * {@link #publish}.
   *
   * @param retention in ms: how long deletions are remembered
   * @return whether another step has work to do
   */
  public boolean clean(long retention) {
    throw new UnsupportedOperationException();
  }

  /** Number of keys that were seen in more than one partition. */
  public long contested() {
    throw new UnsupportedOperationException();
  }

  /** A key that was seen in more than one partition, as an example; null if there is none. */
  public byte @Nullable [] contestedExample() {
    throw new UnsupportedOperationException();
  }
}
