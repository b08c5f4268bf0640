package io.tablecast.feed;

import io.smallrye.common.annotation.Identifier;
import io.smallrye.reactive.messaging.ClientCustomizer;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.tablecast.config.Settings;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/**
 * How the Kafka clients are configured. Every {@code kafka.*} setting of the operator's goes to
 * both, and wins over our preferences, but not over what the feed can't do without.
 */
class FeedClients {
  private static final String QUARKUS_KAFKA_SETTINGS = "default-kafka-broker";

  /**
   * A replica's own name: brokers' logs and quotas tell replicas apart by it. Made when it is first
   * asked for: a native binary's constants are made once, when it is built.
   */
  private static final AtomicReference<@Nullable String> CLIENT_ID = new AtomicReference<>();

  @Produces
  @Singleton
  PollLog pollLog(KafkaClientService clients) {
    return new PollLog(new LogStarts(new LeadMetric(clients)));
  }

  /** The channel's configuration, beside what application.properties says. */
  @Produces
  @Singleton
  @Identifier(FeedChannel.NAME)
  Map<String, Object> channel(
      Settings settings, @Identifier(QUARKUS_KAFKA_SETTINGS) Map<String, Object> kafka) {
    Map<String, Object> map = preferred();
    map.putAll(kafka);
    // Never joined, since partitions are assigned; the connector insists on one.
    map.put(ConsumerConfig.GROUP_ID_CONFIG, clientId());
    map.put(
        "assign-seek",
        settings.config().topics().stream().map(t -> t + ":0:0").collect(Collectors.joining(",")));
    map.put("topics", String.join(",", settings.config().topics()));
    return map;
  }

  private static Map<String, Object> preferred() {
    Map<String, Object> map = new HashMap<>();
    map.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, "1000");
    map.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId());
    return map;
  }

  private static String clientId() {
    CLIENT_ID.compareAndSet(null, "tablecast-" + UUID.randomUUID());
    return Objects.requireNonNull(CLIENT_ID.get());
  }

  /**
   * The admin client's configuration.
   *
   * @param timeout in ms: an answer that comes later is of no use
   */
  static Map<String, Object> admin(Map<String, Object> kafka, int timeout) {
    Map<String, Object> map = preferred();
    Set<String> known = AdminClientConfig.configNames();
    Set<String> consumers = ConsumerConfig.configNames();
    kafka.forEach(
        (name, value) -> {
          // What no client knows is some plug-in's own.
          if (known.contains(name) || !consumers.contains(name)) {
            map.put(name, value);
          }
        });
    // The client has calls of its own, beside those that we give a time for.
    map.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, timeout);
    map.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, timeout);
    return map;
  }

  /** Gives the consumer our interceptor, and what it needs. */
  @Singleton
  static class Customizer implements ClientCustomizer<Map<String, Object>> {
    private final PollLog polls;

    Customizer(PollLog polls) {
      this.polls = polls;
    }

    @Override
    public Map<String, Object> customize(
        String channel, Config config, Map<String, Object> client) {
      if (channel.equals(FeedChannel.NAME)) {
        client.merge(
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
            PollInterceptor.class.getName(),
            (others, ours) -> others + "," + ours);
        client.put(PollInterceptor.LOG, polls);
      }
      return client;
    }
  }
}
