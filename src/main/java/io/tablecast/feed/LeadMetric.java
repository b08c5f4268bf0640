package io.tablecast.feed;

import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumer;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The leads, from the metric {@code records-lead} of the channel's consumer, which records it for
 * each partition whose position a poll returns. Asked for on the polling thread, before the next
 * poll.
 */
final class LeadMetric implements LogStarts.Leads {
  private static final String NAME = "records-lead";
  private static final String GROUP = "consumer-fetch-manager-metrics";

  private final KafkaClientService clients;

  LeadMetric(KafkaClientService clients) {
    this.clients = clients;
  }

  @Override
  public OptionalLong lead(TopicPartition partition) {
    KafkaConsumer<byte[], byte[]> channel = clients.getConsumer(FeedChannel.NAME);
    Consumer<byte[], byte[]> consumer = channel == null ? null : channel.unwrap();
    if (channel == null || consumer == null) {
      return OptionalLong.empty();
    }
    String client = String.valueOf(channel.configuration().get(ConsumerConfig.CLIENT_ID_CONFIG));
    return value(consumer.metrics().get(name(client, partition)));
  }

  private static MetricName name(String client, TopicPartition partition) {
    return new MetricName(
        NAME,
        GROUP,
        "",
        Map.of(
            "client-id", client,
            "topic", partition.topic(),
            "partition", String.valueOf(partition.partition())));
  }

  private static OptionalLong value(@Nullable Metric metric) {
    return metric != null && metric.metricValue() instanceof Double lead
        ? OptionalLong.of(lead.longValue())
        : OptionalLong.empty();
  }
}
