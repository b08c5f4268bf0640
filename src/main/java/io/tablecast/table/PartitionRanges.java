package io.tablecast.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * Which offsets of which partitions a segment holds. Written by the writer; {@link #below} is for
 * any thread, and if the writer goes on meanwhile it may see offsets that are too high but none
 * that are too low.
 */
final class PartitionRanges {
  private static final VarHandle OFFSET = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle HIGHEST;

  static {
    try {
      HIGHEST =
          MethodHandles.lookup().findVarHandle(PartitionRanges.class, "highest", long[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Indexed by partition; {@link Long#MIN_VALUE}: no record. */
  private long[] highest = {};

  /** Of puts only, for the writer only; {@link Long#MAX_VALUE}: none. */
  private long[] lowestPut = {};

  /**
   * @param offset {@link Long#MAX_VALUE} if it says nothing of whether a client has the record
   */
  void addHighest(int partition, long offset) {
    if (partition >= highest.length) {
      grow(Math.max(partition + 1, highest.length + highest.length / 2));
    }
    if (offset > highest[partition]) {
      OFFSET.setOpaque(highest, partition, offset);
    }
  }

  void addPut(int partition, long offset) {
    if (offset < lowestPut[partition]) {
      lowestPut[partition] = offset;
    }
  }

  private void grow(int partitions) {
    int from = highest.length;
    long[] higher = Arrays.copyOf(highest, partitions);
    Arrays.fill(higher, from, partitions, Long.MIN_VALUE);
    lowestPut = Arrays.copyOf(lowestPut, partitions);
    Arrays.fill(lowestPut, from, partitions, Long.MAX_VALUE);
    HIGHEST.setRelease(this, higher);
  }

  long lowestPut(int partition) {
    return partition < lowestPut.length ? lowestPut[partition] : Long.MAX_VALUE;
  }

  void setLowestPut(int partition, long offset) {
    lowestPut[partition] = offset;
  }

  /** Whether every offset is below that of its partition in the array. */
  boolean below(long[] next) {
    long[] offsets = (long[]) HIGHEST.getAcquire(this);
    for (int p = 0; p < offsets.length; p++) {
      long offset = (long) OFFSET.getOpaque(offsets, p);
      if (offset != Long.MIN_VALUE && (p >= next.length || offset >= next[p])) {
        return false;
      }
    }
    return true;
  }

  int bytes() {
    return 2 * Long.BYTES * lowestPut.length;
  }
}
