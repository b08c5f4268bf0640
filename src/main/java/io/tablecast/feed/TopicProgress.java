package io.tablecast.feed;

import io.tablecast.feed.TopicAnswer.Bounds;
import io.tablecast.feed.TopicAnswer.Failed;
import io.tablecast.feed.TopicAnswer.Known;
import io.tablecast.feed.TopicAnswer.Missing;
import io.tablecast.table.Frontier;
import io.tablecast.table.Status;
import io.tablecast.table.TopicId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a table has followed its topic, and whether it still does: pure bookkeeping over
 * positions, answers of checks and the clock. Feed thread only.
 *
 * <p>Methods that learn something return the reason why the table must start over, or null. The
 * caller then calls {@link #startOver}, after which polls and answers of an earlier {@linkplain
 * #generation() generation} are void.
 */
final class TopicProgress {
  private static final int MAX_PENDING = 8;
  private static final long MAX_CLOCK_MARGIN = Duration.ofMinutes(1).toMillis();

  private final String topic;
  private final long staleAfter;
  private final long lateAfter;

  private final List<PartitionProgress> partitions = new ArrayList<>();
  private final Deque<Pending> pending = new ArrayDeque<>();
  private TableState state = TableState.start();
  private TopicId id = TopicId.NONE;
  private TopicSettings config = TopicSettings.ASSUMED;
  private int generation;
  private int timesMissing;
  private long asOf;
  private boolean interrupted;

  /** A check as it began: what its answer has to be compared with. */
  record Check(int generation, List<Long> read) {}

  /** Ends that were found at a time, and have not all been reached. */
  private record Pending(long at, List<Bounds> bounds) {}

  /**
   * Times in ms.
   *
   * @param staleAfter how long without contact is stale
   * @param checkInterval how far checks are apart, normally
   */
  TopicProgress(String topic, long staleAfter, long checkInterval) {
    this.topic = topic;
    this.staleAfter = staleAfter;
    this.lateAfter = Math.max(2 * checkInterval, staleAfter / 2);
  }

  /** How often the table has started over. Starts at 0. */
  int generation() {
    return generation;
  }

  TableState state() {
    return state;
  }

  TopicSettings config() {
    return config;
  }

  /** Number of known partitions. */
  int partitions() {
    return id.equals(TopicId.NONE) ? 0 : partitions.size();
  }

  /** Whether the topic is known to exist. */
  boolean exists() {
    return !id.equals(TopicId.NONE);
  }

  /** See {@link io.tablecast.feed.TableInfo#lag}. */
  long lag() {
    return partitions.stream().mapToLong(PartitionProgress::lag).sum();
  }

  /** Offsets that have been passed since the table (re)started. */
  long done() {
    return partitions.stream().mapToLong(PartitionProgress::done).sum();
  }

  /** Since when touch with Kafka has been lost; 0 while it has not. */
  long staleSince() {
    return state instanceof TableState.Stale s ? s.since() : 0;
  }

  /** What readers are told. */
  Status status() {
    return new Status(
        state.caughtUp(),
        staleSince(),
        new Frontier(
            id,
            asOf,
            config.deleteRetention(),
            partitions.stream().map(PartitionProgress::frontier).toList()));
  }

  /** The progress of a partition, which is known from now on. */
  PartitionProgress partition(int partition) {
    while (partitions.size() <= partition) {
      partitions.add(new PartitionProgress(partitions.size()));
    }
    return partitions.get(partition);
  }

  /** A poll has moved the position of a partition. */
  @Nullable String advanced(int partition, long position, int leaderEpoch) {
    PartitionProgress p = partition(partition);
    if (p.back(position)) {
      return "partition " + partition + " was cut off at offset " + position;
    }
    p.advance(position, leaderEpoch);
    return null;
  }

  /** To be called when a check begins, before Kafka is asked. */
  Check begin() {
    return new Check(generation, partitions.stream().map(PartitionProgress::read).toList());
  }

  /** What a check has found. Answers of an earlier generation are passed over. */
  @Nullable String answered(Check check, TopicAnswer answer) {
    if (check.generation() != generation) {
      return null;
    }
    if (answer instanceof Known known) {
      return known(check, known);
    }
    interrupted = true;
    if (answer instanceof Missing) {
      return missing();
    }
    if (state instanceof TableState.Waiting && answer instanceof Failed failed) {
      state = state.waiting(failed.reason());
    }
    return null;
  }

  private @Nullable String missing() {
    timesMissing++;
    if (exists()) {
      // Once may be a broker whose metadata is behind.
      return timesMissing < 2 ? null : missingTopic();
    }
    state = state.waiting(missingTopic());
    return null;
  }

  private String missingTopic() {
    return "topic " + topic + " does not exist";
  }

  private @Nullable String known(Check check, Known known) {
    timesMissing = 0;
    config = known.config();
    if (exists() && !id.equals(known.id())) {
      return "topic " + topic + " was deleted and created again";
    }
    id = known.id();
    boolean other = false;
    for (int i = 0; i < known.bounds().size(); i++) {
      PartitionProgress p = partition(i);
      if (known.bounds().get(i).known()) {
        other |=
            p.bounds(known.bounds().get(i), i < check.read().size() ? check.read().get(i) : -1);
      }
    }
    if (other) {
      return "a log of topic " + topic + " ends, or starts, before where it did: it was cut off";
    }
    if (known.complete()) {
      if (pending.size() == MAX_PENDING) {
        pending.removeLast();
      }
      pending.add(new Pending(known.at(), known.bounds()));
    } else {
      interrupted = true;
    }
    if (state instanceof TableState.Waiting w) {
      state = w.replay(progress());
    }
    return null;
  }

  /** Draws the conclusions from all that was learned, and from the time, in ms since the epoch. */
  @Nullable String settle(long now) {
    partitions.forEach(p -> p.settle(now));
    if (state instanceof TableState.Replaying r) {
      state = r.moved(progress());
    }
    while (!pending.isEmpty() && reached(pending.element().bounds())) {
      long reached = pending.remove().at();
      // Far apart with no failure between them: the whole process stood still (a pause, a suspended
      // machine).
      if (now - reached > lateAfter || asOf > 0 && reached - asOf > lateAfter) {
        interrupted = true;
      }
      if (interrupted && mayHaveMissedDeletions(now)) {
        return "deletions may have been missed: contact was interrupted for longer than deletions are kept";
      }
      interrupted = false;
      asOf = Math.max(asOf, reached);
    }
    boolean late = asOf > 0 && now - asOf > staleAfter;
    if (late && state instanceof TableState.CaughtUp c) {
      state = c.lost(asOf);
    } else if (!late && state instanceof TableState.Stale s) {
      state = s.regained();
    }
    return null;
  }

  private boolean reached(List<Bounds> bounds) {
    for (int i = 0; i < bounds.size(); i++) {
      if (!partition(i).reached(bounds.get(i).end())) {
        return false;
      }
    }
    return true;
  }

  /**
   * A tombstone written after {@code asOf} may have been compacted away before it was read, if
   * reading it took longer than the brokers keep it.
   */
  private boolean mayHaveMissedDeletions(long now) {
    long kept = config.deleteRetention();
    return asOf > 0 && now - asOf > kept - Math.min(kept / 10, MAX_CLOCK_MARGIN);
  }

  private List<TableState.Progress> progress() {
    return partitions.stream().map(PartitionProgress::progress).toList();
  }

  /** Forgets all that was known of the topic, and takes up a new generation. */
  void startOver(String reason) {
    generation++;
    partitions.clear();
    pending.clear();
    id = TopicId.NONE;
    asOf = 0;
    interrupted = false;
    state = state.waiting(reason);
  }
}
