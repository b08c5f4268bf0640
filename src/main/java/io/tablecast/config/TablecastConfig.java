package io.tablecast.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import io.tablecast.wire.ValueFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of Tablecast as they stand in the configuration. {@link Settings} has checked them
 * by the time any other bean sees them.
 */
@ConfigMapping(prefix = "tablecast")
public interface TablecastConfig {
  /** The topics, each of which is a table. Required. */
  List<String> topics();

  /**
   * What is set for single tables, by name. Read them with {@link Settings#format}: a name may be
   * spelled by an environment variable.
   */
  Map<String, TableConfig> tables();

  /** Whether missing topics are created at start. */
  @WithDefault("false")
  @WithConverter(TrueOrFalse.class)
  boolean createTopics();

  /** How missing topics are created. */
  CreateConfig create();

  /**
   * How long deletions are remembered for resuming clients; absent: the topic's {@code
   * delete.retention.ms}.
   */
  Optional<Duration> tombstoneRetention();

  /** Quiet time after which a live subscription gets a bookmark. */
  @WithDefault("30s")
  Duration bookmarkInterval();

  /** Time without contact to Kafka after which subscriptions are told that they are stale. */
  @WithDefault("10s")
  Duration staleAfter();

  /** When the service is ready. */
  ReadinessConfig readiness();

  /** How often partitions, log starts and topic ids are looked at. */
  @WithDefault("5s")
  Duration topicCheckInterval();

  /** Least time between two polls of which the first brought little; zero for none. */
  @WithDefault("10ms")
  Duration pollInterval();

  /** What clients may ask for. */
  LimitsConfig limits();

  /** How the service stops. */
  ShutdownConfig shutdown();

  /** What is set for one table. */
  interface TableConfig {
    /** How values are shown. */
    @WithDefault("auto")
    ValueFormat format();
  }

  /** How missing topics are created. */
  interface CreateConfig {
    /** Number of partitions; absent: the brokers' default. */
    Optional<Integer> partitions();

    /** Number of replicas; absent: the brokers' default. */
    Optional<Short> replicationFactor();

    /** Topic settings beside {@code cleanup.policy=compact}. */
    Map<String, String> config();
  }

  /** When the service is ready. */
  interface ReadinessConfig {
    /** Whether a service that has been ready stays so while it is stale. */
    @WithDefault("true")
    @WithConverter(TrueOrFalse.class)
    boolean latched();
  }

  /** What clients may ask for. All at least 1. */
  interface LimitsConfig {
    /** Open WebSocket and event-stream connections. */
    @WithDefault("10000")
    int connections();

    /** Open subscriptions of one connection. */
    @WithDefault("100")
    int subscriptionsPerConnection();

    /** Keys and prefixes of one subscription. */
    @WithDefault("10000")
    int keysPerSubscription();

    /** Client messages per second and connection, with a burst of twice that. */
    @WithDefault("50")
    int messagesPerSecond();

    /** Bytes of the largest client message. */
    @WithDefault("1048576")
    int messageBytes();

    /** Refused messages per minute and connection. */
    @WithDefault("20")
    int badMessages();

    /** Target bytes of one {@code changes} message. */
    @WithDefault("65536")
    int frameBytes();

    /** How long a client may leave its frame untaken. */
    @WithDefault("60s")
    Duration stalledAfter();
  }

  /** How the service stops. */
  interface ShutdownConfig {
    /** Time over which connections are closed; may be zero. */
    @WithDefault("10s")
    Duration drain();
  }
}
