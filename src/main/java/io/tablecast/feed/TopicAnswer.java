package io.tablecast.feed;

import io.tablecast.table.TopicId;
import java.util.List;

/** What Kafka answered when a topic was looked at. Immutable. */
sealed interface TopicAnswer {
  /**
   * It exists.
   *
   * @param at the time before the bounds were asked for, in ms since the epoch
   * @param bounds indexed by partition
   */
  record Known(long at, TopicId id, List<Bounds> bounds, TopicSettings config)
      implements TopicAnswer {
    /** Copies the list. */
    public Known {
      bounds = List.copyOf(bounds);
    }

    /** Whether every partition's bounds are known. */
    boolean complete() {
      return bounds.stream().allMatch(Bounds::known);
    }
  }

  /** There is no topic of this name, or none that we may see. */
  record Missing() implements TopicAnswer {}

  /** There was no usable answer, for this reason. */
  record Failed(String reason) implements TopicAnswer {}

  /**
   * The readable part of a partition's log.
   *
   * @param start its first offset
   * @param end the offset after its last one that a read_committed reader can get to: the last
   *     stable offset
   */
  record Bounds(long start, long end) {
    /** Of a partition that has no leader to ask, or whose leader does not answer. */
    static final Bounds UNKNOWN = new Bounds(-1, -1);

    boolean known() {
      return end >= 0;
    }
  }
}
