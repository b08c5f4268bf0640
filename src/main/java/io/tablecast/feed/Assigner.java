package io.tablecast.feed;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/** Decides what the consumer reads. Feed thread. */
interface Assigner {
  /**
   * Asks for exactly these partitions to be read. Those that are new are read from the beginning,
   * and so are all those of a topic whose generation is new. Asking again for the same changes
   * nothing.
   *
   * @param generations per topic
   */
  void assign(Set<TopicPartition> partitions, Map<String, Integer> generations);

  /** Whether the consumer reads what was last asked for; if not, ask again. */
  boolean done();
}
