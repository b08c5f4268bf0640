package io.tablecast.fanout;

/**
 * Counts the changes that were superseded before a live client could be told of them: those that
 * matched, less those that it was told. Hub thread.
 */
final class Tally {
  private final Group group;
  private long routedBefore;
  private long toldSince;

  Tally(Group group) {
    this.group = group;
  }

  /**
   * What was left out just before this batch. Of one filter it is known, and said, with the batch
   * that leads to the end.
   *
   * @param from the position before the batch
   * @param last whether it leads to the end
   */
  long skipped(Batch batch, long from, boolean last) {
    if (group.filter.all()) {
      return Math.max(0, batch.to() - from - batch.count());
    }
    toldSince += batch.count();
    if (!last) {
      return 0;
    }
    long skipped = Math.max(0, group.routed() - routedBefore - toldSince);
    settle();
    return skipped;
  }

  /** The client knows everything that has matched so far: from here on it counts. */
  void settle() {
    routedBefore = group.routed();
    toldSince = 0;
  }
}
