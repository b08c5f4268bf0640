package io.tablecast.feed;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Gives each poll to the {@link PollLog}, those without records too, and hands on what stands in
 * for it. Made by the Kafka client, by name; the log comes with the client's configuration.
 */
@RegisterForReflection
public final class PollInterceptor implements ConsumerInterceptor<byte[], byte[]> {
  /** The configuration's entry that holds the {@link PollLog}. */
  static final String LOG = "tablecast.poll-log";

  private @Nullable PollLog log;

  @Override
  public void configure(Map<String, ?> configs) {
    if (!(configs.get(LOG) instanceof PollLog given)) {
      throw new IllegalArgumentException(
          PollInterceptor.class.getName()
              + " is for Tablecast's own consumer only: take it out of interceptor.classes");
    }
    log = given;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
    return log == null ? records : log.polled(this, records);
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
    // Nothing is committed.
  }

  @Override
  public void close() {
    // Nothing is held open.
  }
}
