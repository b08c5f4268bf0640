package io.tablecast.feed;

import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumer;
import io.tablecast.config.Settings;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/**
 * Lets records gather at the broker after a poll that brought few: without it a busy topic is
 * polled as often as records come, and each poll costs a fetch at the broker, a version of the
 * table and a message to each client. What comes after a quiet time is not held up, and neither is
 * a consumer with much to read. Polling thread.
 */
@Singleton
class PollPause {
  private static final Logger LOG = Logger.getLogger(PollPause.class);
  private static final int MANY_RECORDS = 1_000;
  private static final int MANY_BYTES = 256 * 1024;

  private final KafkaClientService clients;
  private final long nanos;

  @Inject
  PollPause(KafkaClientService clients, Settings settings) {
    this(clients, settings.config().pollInterval());
  }

  PollPause(KafkaClientService clients, Duration interval) {
    this.clients = clients;
    this.nanos = interval.toNanos();
  }

  /** A poll has just returned with these. Polling thread. */
  void after(ConsumerRecords<?, ?> records) {
    if (nanos == 0 || isMuch(records)) {
      return;
    }
    KafkaConsumer<byte[], byte[]> consumer = clients.getConsumer(FeedChannel.NAME);
    if (consumer == null) {
      return; // the channel is being closed
    }
    long end = System.nanoTime() + nanos;
    Set<TopicPartition> partitions = records.partitions();
    // The connector asks for its next poll when this one has returned: that comes after us.
    consumer
        .runOnPollingThread(
            (Consumer<byte[], byte[]> c) -> {
              if (!hasMuchToRead(c, partitions)) {
                parkUntil(end);
              }
            })
        .subscribe()
        .with(ok -> {}, failure -> LOG.debug("No pause after a poll", failure));
  }

  /** By what the last fetch told of the ends: a poll may bring little and leave much. */
  private static boolean hasMuchToRead(
      Consumer<byte[], byte[]> consumer, Set<TopicPartition> partitions) {
    Set<TopicPartition> assigned = consumer.assignment();
    return partitions.stream()
            .filter(assigned::contains)
            .mapToLong(p -> consumer.currentLag(p).orElse(0))
            .sum()
        >= MANY_RECORDS;
  }

  static boolean isMuch(ConsumerRecords<?, ?> records) {
    if (records.count() >= MANY_RECORDS) {
      return true;
    }
    int bytes = 0;
    for (ConsumerRecord<?, ?> r : records) {
      bytes += Math.max(0, r.serializedKeySize()) + Math.max(0, r.serializedValueSize());
      if (bytes >= MANY_BYTES) {
        return true;
      }
    }
    return false;
  }

  private static void parkUntil(long end) {
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      LockSupport.parkNanos(left);
    }
  }
}
