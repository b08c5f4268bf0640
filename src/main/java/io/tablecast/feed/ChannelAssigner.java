package io.tablecast.feed;

import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumer;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
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
    Set<TopicPartition> fresh = new HashSet<>();
    for (TopicPartition p : now.partitions()) {
      if (!before.contains(p) || startsOver(p.topic(), now)) {
        fresh.add(p);
      }
    }
    boolean paused = !consumer.paused().isEmpty();
    if (!before.equals(now.partitions())) {
      consumer.assign(now.partitions());
    }
    if (!fresh.isEmpty()) {
      consumer.seekToBeginning(fresh);
      if (paused) {
        // The connector pauses what is assigned while its queue is full, and knows nothing of what
        // comes later.
        consumer.pause(fresh);
      }
    }
    now.generations().forEach(polls::generation);
    assigned = now;
  }

  private boolean startsOver(String topic, Wanted now) {
    Wanted last = assigned;
    int before = last == null ? 0 : last.generations().getOrDefault(topic, 0);
    return now.generations().getOrDefault(topic, 0) != before;
  }
}
