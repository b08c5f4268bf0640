package io.tablecast.feed;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/**
 * Finds the polls before which reading has jumped over records that Kafka deleted unread, and where
 * the log started then. Polling thread only.
 *
 * <p>When the position lies before the log's start, the consumer goes on at the start and says
 * nothing. A poll shows only that offsets are missing, as they also are where a transaction ended
 * or the log was compacted. But every fetch response tells the log's start, so it is asked for
 * where offsets are missing, and costs nothing elsewhere.
 */
final class LogStarts {
  private static final Logger LOG = Logger.getLogger(LogStarts.class);

  private final Leads leads;

  /** The position after the last poll that told one. */
  private final Map<TopicPartition, Long> positions = new HashMap<>();

  private boolean complained;

  /** How far positions are from the starts of their logs. */
  interface Leads {
    /**
     * The position after the poll that returns now, less the log's start in the fetch response that
     * this poll took its last records of the partition from. Empty if the client does not tell.
     */
    OptionalLong lead(TopicPartition partition);
  }

  LogStarts(Leads leads) {
    this.leads = leads;
  }

  /**
   * The starts of logs that lie behind the positions before this poll: what is between them has
   * been deleted. Nearly always empty.
   */
  Map<TopicPartition, Long> passed(ConsumerRecords<?, ?> poll) {
    Map<TopicPartition, Long> passed = Map.of();
    for (Map.Entry<TopicPartition, OffsetAndMetadata> next : poll.nextOffsets().entrySet()) {
      TopicPartition partition = next.getKey();
      long position = next.getValue().offset();
      Long known = positions.put(partition, position);
      long before = known == null ? 0 : known;
      if (position - before != poll.records(partition).size()) {
        OptionalLong lead = leads.lead(partition);
        if (lead.isEmpty()) {
          complain(partition);
        } else if (position - lead.getAsLong() > before) {
          passed = with(passed, partition, position - lead.getAsLong());
        }
      }
    }
    return passed;
  }

  private static Map<TopicPartition, Long> with(
      Map<TopicPartition, Long> starts, TopicPartition partition, long start) {
    Map<TopicPartition, Long> more = new HashMap<>(starts);
    more.put(partition, start);
    return Map.copyOf(more);
  }

  private void complain(TopicPartition partition) {
    if (!complained) {
      complained = true;
      LOG.warnf(
          "Kafka's fetch responses do not tell where the log of %s starts: if records are deleted before they"
              + " have been read, that is noticed at the next check only (tablecast.topic-check-interval)",
          partition);
    }
  }

  /** The topic is read from its beginning again. */
  void forget(String topic) {
    positions.keySet().removeIf(p -> p.topic().equals(topic));
  }

  /** All topics are read from their beginning. */
  void forgetAll() {
    positions.clear();
  }
}
