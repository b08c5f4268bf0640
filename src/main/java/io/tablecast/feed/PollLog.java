package io.tablecast.feed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The polls, in order, on their way from the polling thread to the feed thread.
 *
 * <p>The connector hands over the records of a poll, and drops polls without any. But a poll also
 * says up to where the log has been read: past transaction markers and compacted offsets, of which
 * no record tells. So each poll leaves its positions here, and the feed thread matches them with
 * the batches that arrive: a batch is the very object that the poll returned.
 */
final class PollLog {
  private final Queue<Poll> polls = new ConcurrentLinkedQueue<>();

  /** Polling thread only; the map is never changed, since polls keep it. */
  private Map<String, Integer> generations = Map.of();

  /** Polling thread only. */
  private @Nullable Object poller;

  private volatile Runnable onEmptyPoll = () -> {};
  private volatile Runnable onNewConsumer = () -> {};

  /**
   * What one poll brought.
   *
   * @param batch its records; null if it had none
   * @param next per partition the position after it, with the leader epoch of what was read last
   * @param generations per topic the generation of its assignment at that time; absent: 0
   */
  record Poll(
      @Nullable ConsumerRecords<?, ?> batch,
      Map<TopicPartition, OffsetAndMetadata> next,
      Map<String, Integer> generations) {
    /** The generation of a topic's assignment at the time of this poll. */
    int generation(String topic) {
      return generations.getOrDefault(topic, 0);
    }
  }

  /**
   * Who is told; set before the consumer starts.
   *
   * @param emptyPoll called on the polling thread when there is a poll without records
   * @param newConsumer called on the polling thread when another consumer polls than before
   */
  void listen(Runnable emptyPoll, Runnable newConsumer) {
    onEmptyPoll = emptyPoll;
    onNewConsumer = newConsumer;
  }

  /**
   * A poll has returned. Polling thread.
   *
   * @param consumer whose poll it is: a new consumer has none of our assignments
   */
  void polled(Object consumer, ConsumerRecords<?, ?> records) {
    if (consumer != poller) {
      if (poller != null) {
        onNewConsumer.run();
      }
      poller = consumer;
    }
    boolean empty = records.isEmpty();
    polls.add(new Poll(empty ? null : records, records.nextOffsets(), generations));
    if (empty) {
      onEmptyPoll.run();
    }
  }

  /** From the next poll on a topic is of this generation. Polling thread. */
  void generation(String topic, int generation) {
    Map<String, Integer> changed = new HashMap<>(generations);
    changed.put(topic, generation);
    generations = Map.copyOf(changed);
  }

  /**
   * Takes the polls up to and including the one that returned this batch. A poll before it that has
   * records is one whose batch never arrived. If no poll is known to have returned the batch,
   * nothing is taken. Feed thread.
   */
  List<Poll> takeThrough(ConsumerRecords<?, ?> batch) {
    if (polls.stream().noneMatch(p -> p.batch() == batch)) {
      return List.of();
    }
    List<Poll> taken = new ArrayList<>();
    Poll poll;
    do {
      poll = polls.remove();
      taken.add(poll);
    } while (poll.batch() != batch);
    return taken;
  }

  /** Takes the polls without records that precede the first one with records. Feed thread. */
  List<Poll> takeEmpty() {
    List<Poll> taken = new ArrayList<>();
    for (Poll poll = polls.peek(); poll != null && poll.batch() == null; poll = polls.peek()) {
      taken.add(polls.remove());
    }
    return taken;
  }
}
