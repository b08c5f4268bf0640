package io.tablecast.table;

import java.util.List;

/**
 * How far a table has followed its topic: what a token names. Immutable.
 *
 * @param topicId the topic that is read
 * @param asOf a time, in ms since the epoch, whose whole log is known to have been applied: the
 *     moment before the end offsets were asked for that have since been reached. 0 while that has
 *     never happened
 * @param tombstoneRetention the topic's {@code delete.retention.ms}, in ms: how long the brokers
 *     keep a tombstone at least
 * @param partitions indexed by partition
 */
public record Frontier(
    TopicId topicId, long asOf, long tombstoneRetention, List<PartitionFrontier> partitions) {
  /** Before anything is known of the topic. */
  public static final Frontier NONE = new Frontier(TopicId.NONE, 0, 0, List.of());

  /** Copies the list. */
  public Frontier {
    partitions = List.copyOf(partitions);
  }
}
