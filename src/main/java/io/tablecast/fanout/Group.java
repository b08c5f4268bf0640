package io.tablecast.fanout;

import io.tablecast.table.RecordView;
import io.tablecast.table.Table;
import org.jspecify.annotations.Nullable;

/**
 * The subscriptions to one table that share a filter, and the changes that match it: what a client
 * has yet to be told is the part of the queue behind its position. Dead changes are skipped when a
 * batch is built, so the queue is conflated by nature; it is compacted when it outgrows twice what
 * was left of it. For the filter that everything matches the table's log is the queue. Hub thread.
 */
final class Group {
  private static final int MIN_COMPACTION = 64;

  final Filter filter;
  final Members members = Members.ofGroup();

  /** Those that have been told everything and wait for more. */
  final Members waiting = Members.waiting();

  final SequenceQueue queue = new SequenceQueue();
  private final BatchCache cache;
  private long routed;
  private long lastRouted;
  private int compactAt = MIN_COMPACTION;

  Group(Filter filter, long cacheBytes) {
    this.filter = filter;
    cache = new BatchCache(cacheBytes);
  }

  /** Changes that have matched so far, superseded ones included. */
  long routed() {
    return routed;
  }

  /**
   * Notes a change that matches; the same one again is ignored, since a filter may match in several
   * ways.
   */
  void route(RecordView change) {
    if (change.sequence() <= lastRouted) {
      return;
    }
    lastRouted = change.sequence();
    routed++;
    if (!change.dead()) {
      queue.add(change.sequence());
    }
  }

  /** A batch that was built for another subscription at this place; null when there is none. */
  @Nullable Batch shared(BatchCache.Place place) {
    return cache.get(place);
  }

  /** Keeps a batch if there are others that may want it. */
  void share(BatchCache.Place place, Batch batch) {
    if (members.size() > 1 && batch.count() > 0) {
      cache.put(place, batch);
    }
  }

  /** Keeps the queue within bounds: to be called when changes have been routed. */
  void trim(Table table, RecordView view) {
    if (queue.size() >= compactAt) {
      long behind = slowest();
      queue.retain(s -> s > behind && table.read(s, view));
      compactAt = Math.max(MIN_COMPACTION, 2 * queue.size());
    }
  }

  /** When everybody has been told everything, nothing needs to be kept. */
  void settle() {
    if (waiting.size() == members.size()) {
      queue.clear();
      compactAt = MIN_COMPACTION;
    }
  }

  private long slowest() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < members.size(); i++) {
      least = Math.min(least, members.get(i).position());
    }
    return least;
  }

  /** The table has started over. */
  void startOver() {
    queue.clear();
    cache.clear();
    waiting.clear();
    compactAt = MIN_COMPACTION;
  }
}
