package io.tablecast.table;

import java.util.Arrays;

/** How far deletions have been forgotten for their age. Writer only. */
final class DroppedMarks {
  /** The highest offset of each partition. */
  private static final class Offsets {
    /** -1: none. */
    private long[] byPartition = {};

    /** A version has this array: it must not change any more. */
    private boolean shared;

    void raise(int partition, long offset) {
      if (partition < byPartition.length && byPartition[partition] >= offset) {
        return;
      }
      int known = byPartition.length;
      if (shared || partition >= known) {
        byPartition = Arrays.copyOf(byPartition, Math.max(known, partition + 1));
        Arrays.fill(byPartition, known, byPartition.length, -1);
        shared = false;
      }
      byPartition[partition] = offset;
    }

    long[] share() {
      shared = true;
      return byPartition;
    }
  }

  private long sequence;
  private Offsets offsets = new Offsets();
  private Offsets expiries = new Offsets();

  void add(RecordView deletion) {
    sequence = Math.max(sequence, deletion.sequence());
    (deletion.expired() ? expiries : offsets).raise(deletion.partition(), deletion.offset());
  }

  void clear() {
    sequence = 0;
    offsets = new Offsets();
    expiries = new Offsets();
  }

  /** Highest sequence number; 0 if none. */
  long sequence() {
    return sequence;
  }

  /** Of tombstones, by partition, -1 for none. Never changes. */
  long[] offsets() {
    return offsets.share();
  }

  /** Of expired deletions, by partition, -1 for none. Never changes. */
  long[] expiries() {
    return expiries.share();
  }
}
