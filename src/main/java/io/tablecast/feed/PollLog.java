package io.tablecast.feed;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The polls, in order, on their way from the polling thread to the feed thread.
 *
 * <p>The connector wraps every record in several objects that nobody looks at, and drops polls
 * without any, though these too say up to where the log has been read: past transaction markers and
 * compacted offsets, of which no record tells. So each poll waits here, with its records and its
 * positions, and what goes through the connector is a stand-in of one record. It says that there is
 * something to take, and it counts: the connector stops reading while too many of them wait, which
 * bounds what waits here.
 */
final class PollLog {
  private final Queue<Poll> polls = new ConcurrentLinkedQueue<>();
  private final AtomicInteger behind = new AtomicInteger();
  private final LogStarts starts;

  /** Polling thread only; the map is never changed, since polls keep it. */
  private Map<String, Integer> generations = Map.of();

  /** Polling thread only. */
  private @Nullable Object poller;

  private volatile Listener listener = new Listener() {};

  /**
   * What one poll brought.
   *
   * @param records maybe none
   * @param passed the starts of logs that reading jumped to, over deleted records; see {@link
   *     LogStarts#passed}
   * @param generations per topic the generation of its assignment at that time; absent: 0
   */
  record Poll(
      ConsumerRecords<byte[], byte[]> records,
      Map<TopicPartition, Long> passed,
      Map<String, Integer> generations) {
    /** Per partition the position after it, with the leader epoch of what was read last. */
    Map<TopicPartition, OffsetAndMetadata> next() {
      return records.nextOffsets();
    }

    /** The generation of a topic's assignment at the time of this poll. */
    int generation(String topic) {
      return generations.getOrDefault(topic, 0);
    }
  }

  /** Is told of polls, on the polling thread. */
  interface Listener {
    /** A poll without records can be taken; of one with records the connector tells. */
    default void emptyPoll() {}

    /** A poll has brought records. */
    default void records(ConsumerRecords<?, ?> records) {}

    /** Another consumer polls than before. */
    default void newConsumer() {}

    /** A poll has been lost, for this reason. */
    default void lost(RuntimeException reason) {}
  }

  PollLog(LogStarts starts) {
    this.starts = starts;
  }

  /** Who is told; set before the consumer starts. */
  void listen(Listener listener) {
    this.listener = listener;
  }

  /**
   * A poll has returned. Polling thread.
   *
   * <p>What is thrown here the Kafka client only logs, and goes on with the next poll: so the
   * listener is told that this one is missing.
   *
   * @param consumer whose poll it is: a new consumer has none of our assignments
   * @return what goes through the connector in its place
   */
  ConsumerRecords<byte[], byte[]> polled(Object consumer, ConsumerRecords<byte[], byte[]> records) {
    try {
      return keep(consumer, records);
    } catch (RuntimeException e) {
      listener.lost(e);
      throw e;
    }
  }

  private ConsumerRecords<byte[], byte[]> keep(
      Object consumer, ConsumerRecords<byte[], byte[]> records) {
    if (consumer != poller) {
      if (poller != null) {
        listener.newConsumer();
      }
      poller = consumer;
      starts.forgetAll();
    }
    Poll poll = new Poll(records, starts.passed(records), generations);
    if (records.isEmpty()) {
      polls.add(poll);
      listener.emptyPoll();
      return records;
    }
    behind.incrementAndGet();
    polls.add(poll);
    listener.records(records);
    return standIn(records);
  }

  private static ConsumerRecords<byte[], byte[]> standIn(ConsumerRecords<byte[], byte[]> records) {
    TopicPartition any = records.partitions().iterator().next();
    long offset = records.records(any).get(0).offset();
    ConsumerRecord<byte[], byte[]> one =
        new ConsumerRecord<>(any.topic(), any.partition(), offset, new byte[0], new byte[0]);
    return new ConsumerRecords<>(Map.of(any, List.of(one)), records.nextOffsets());
  }

  /** From the next poll on a topic is of this generation. Polling thread. */
  void generation(String topic, int generation) {
    Map<String, Integer> changed = new HashMap<>(generations);
    Integer before = changed.put(topic, generation);
    if (before == null || before != generation) {
      starts.forget(topic);
    }
    generations = Map.copyOf(changed);
  }

  /** Takes the poll that has waited longest; null if none waits. Feed thread. */
  @Nullable Poll take() {
    return polls.poll();
  }

  /** What {@link #take} gave has been applied. Feed thread. */
  void applied(Poll poll) {
    if (!poll.records().isEmpty()) {
      behind.decrementAndGet();
    }
  }

  /** How many polls with records have not been applied yet. Any thread. */
  int behind() {
    return behind.get();
  }
}
