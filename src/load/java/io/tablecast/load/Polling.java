package io.tablecast.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The poll loop of the baselines: as bare as it can be, with the fetch settings of the service. */
final class Polling {
  private Polling() {}

  /**
   * Reads the topic from its beginning, forever unless the consumer says that it has what it wants.
   */
  static KafkaConsumer<byte[], byte[]> open(String bootstrap, String topic, boolean fromStart) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "enable.auto.commit",
                false,
                "isolation.level",
                "read_committed",
                "max.poll.records",
                5000,
                "max.partition.fetch.bytes",
                4_194_304,
                "fetch.max.bytes",
                33_554_432),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions = new ArrayList<>();
    consumer
        .partitionsFor(topic)
        .forEach(p -> partitions.add(new TopicPartition(topic, p.partition())));
    consumer.assign(partitions);
    if (fromStart) {
      consumer.seekToBeginning(partitions);
    } else {
      consumer.seekToEnd(partitions);
    }
    return consumer;
  }

  /** Reads up to where the partitions end now. */
  static long toEnd(
      KafkaConsumer<byte[], byte[]> consumer, Consumer<ConsumerRecords<byte[], byte[]>> to) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
    long records = 0;
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      ConsumerRecords<byte[], byte[]> batch = consumer.poll(Duration.ofMillis(100));
      records += batch.count();
      to.accept(batch);
    }
    return records;
  }
}
