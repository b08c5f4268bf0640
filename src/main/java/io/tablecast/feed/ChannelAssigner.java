package io.tablecast.feed;

import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Assigns partitions to the channel's consumer, on its polling thread.
 *
 * <p>The connector can assign a fixed list only: it does so when it starts, with partition 0 of
 * each topic; from then on the assignment is ours. Without a group nothing is committed, and no
 * group permission is needed.
 */
@Singleton
class ChannelAssigner implements Assigner {
  private static final Logger LOG = Logger.getLogger(ChannelAssigner.class);

  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration ANSWER = Duration.ofMillis(100);

  /** Never assigned long enough for a broker to hear of it. */
  private static final TopicPartition NO_PARTITION = new TopicPartition("none", 0);

  private final KafkaClientService clients;
  private final PollLog polls;
  private final AtomicReference<@Nullable Wanted> wanted = new AtomicReference<>();

  /** Feed thread only. */
  private @Nullable Wanted asked;

  /** What was last assigned. */
  private volatile @Nullable Wanted assigned;

  private record Wanted(Set<TopicPartition> partitions, Map<String, Integer> generations) {}

  ChannelAssigner(KafkaClientService clients, PollLog polls) {
    this.clients = clients;
    this.polls = polls;
  }

  @Override
  public boolean done() {
    return asked == null || asked.equals(assigned);
  }

  @Override
  public void assign(Set<TopicPartition> partitions, Map<String, Integer> generations) {
    asked = new Wanted(Set.copyOf(partitions), Map.copyOf(generations));
    KafkaConsumer<byte[], byte[]> consumer = clients.getConsumer(FeedChannel.NAME);
    if (consumer == null || consumer.unwrap() == null) {
      // The channel makes its consumer, not we; asked again soon.
      return;
    }
    if (wanted.getAndSet(asked) == null) {
      consumer
          .runOnPollingThread((Consumer<byte[], byte[]> c) -> assign(c))
          .subscribe()
          .with(
              ok -> {},
              failure -> {
                wanted.set(null);
                LOG.debug("Partitions could not be assigned; tried again soon", failure);
              });
    }
  }

  private void assign(Consumer<byte[], byte[]> consumer) {
    Wanted now = wanted.getAndSet(null);
    Set<TopicPartition> before = consumer.assignment();
    if (now == null || before.isEmpty()) {
      // Empty: the connector has not made its own assignment yet, which would replace ours.
      return;
    }
    Set<TopicPartition> kept = new HashSet<>(before);
    kept.removeIf(p -> startsOver(p.topic(), now));
    Set<TopicPartition> fresh = new HashSet<>(now.partitions());
    fresh.removeAll(kept);
    boolean paused = !consumer.paused().isEmpty();
    try {
      if (kept.size() < before.size()) {
        forgetAllBut(kept, consumer);
      }
    } finally {
      if (!consumer.assignment().equals(now.partitions())) {
        consumer.assign(now.partitions());
      }
      if (paused) {
        // The connector pauses what is assigned while its queue is full, and knows nothing of what
        // comes later.
        consumer.pause(fresh);
      }
    }
    if (!fresh.isEmpty()) {
      consumer.seekToBeginning(fresh); // of none it would be all
    }
    now.generations().forEach(polls::generation);
    assigned = now;
  }

  /**
   * Lets the consumer forget what it knows of the other topics. It keeps the highest leader epoch
   * that it has seen of a partition, even when the topic is created again without this partition;
   * when that is added later, its epochs begin anew, and the consumer would take no notice of its
   * leader any more. Epochs of topics that are not assigned go with the next metadata response.
   *
   * @throws org.apache.kafka.common.KafkaException when no broker answers
   */
  private static void forgetAllBut(Set<TopicPartition> kept, Consumer<byte[], byte[]> consumer) {
    if (kept.isEmpty()) {
      // Other topics are what lets metadata be asked for at once; of none nothing would be asked.
      consumer.assign(Set.of(NO_PARTITION));
    }
    consumer.assign(kept);
    // A listing lets metadata be asked for on the way, maybe at another broker; the second one
    // takes up the answer.
    consumer.listTopics(PATIENCE);
    LockSupport.parkNanos(ANSWER.toNanos());
    consumer.listTopics(PATIENCE);
  }

  private boolean startsOver(String topic, Wanted now) {
    Wanted last = assigned;
    int before = last == null ? 0 : last.generations().getOrDefault(topic, 0);
    return now.generations().getOrDefault(topic, 0) != before;
  }
}
