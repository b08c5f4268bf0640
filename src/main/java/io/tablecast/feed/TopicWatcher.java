package io.tablecast.feed;

import io.smallrye.common.annotation.Identifier;
import io.tablecast.config.Settings;
import io.tablecast.config.TablecastConfig;
import io.tablecast.table.TopicId;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Asks Kafka what has become of a topic. Any thread; nothing blocks. */
@Singleton
class TopicWatcher {
  private static final Logger LOG = Logger.getLogger(TopicWatcher.class);
  private static final long CONFIG_AGE_NANOS = Duration.ofSeconds(30).toNanos();
  private static final int MIN_TIMEOUT_MILLIS = 1_000;
  private static final int MAX_TIMEOUT_MILLIS = 5_000;

  private final TablecastConfig config;
  private final Map<String, Object> clientConfig;
  private final Function<Map<String, Object>, Admin> client;
  private final int timeout;

  /** Makes the client: looking up the brokers' names blocks, and fails while there are none. */
  private final ExecutorService maker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread t = new Thread(task, "tablecast-admin");
            t.setDaemon(true);
            return t;
          });

  private final Map<String, ReadConfig> configs = new ConcurrentHashMap<>();
  private final Set<String> seen = ConcurrentHashMap.newKeySet();
  private final Set<String> complained = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean contact = new AtomicBoolean(true);
  private volatile @Nullable Admin admin;

  private record ReadConfig(Uuid id, long atNanos, TopicSettings config) {}

  @Inject
  TopicWatcher(Settings settings, @Identifier("default-kafka-broker") Map<String, Object> kafka) {
    this(settings, kafka, Admin::create);
  }

  /**
   * @param client makes the client of a configuration; as {@link Admin#create}
   */
  TopicWatcher(
      Settings settings, Map<String, Object> kafka, Function<Map<String, Object>, Admin> client) {
    this.config = settings.config();
    this.timeout =
        (int)
            Math.max(
                MIN_TIMEOUT_MILLIS, Math.min(MAX_TIMEOUT_MILLIS, config.staleAfter().toMillis()));
    this.clientConfig = FeedClients.admin(kafka, timeout);
    this.client = client;
  }

  /** Looks at a topic. The stage never fails. */
  CompletionStage<TopicAnswer> check(String topic) {
    return admin()
        .thenCompose(a -> describe(a, topic))
        .toCompletableFuture()
        .orTimeout(3L * timeout, TimeUnit.MILLISECONDS)
        .exceptionallyCompose(e -> failed(topic, cause(e)))
        .whenComplete((answer, e) -> noteContact(answer));
  }

  @PreDestroy
  void close() {
    maker.shutdownNow();
    Admin a = admin;
    if (a != null) {
      a.close(Duration.ZERO);
    }
  }

  /** The client, as soon as it can be made; fails while no broker's name can be looked up. */
  CompletionStage<Admin> admin() {
    Admin made = admin;
    return made != null
        ? CompletableFuture.completedStage(made)
        : CompletableFuture.supplyAsync(this::make, maker);
  }

  private Admin make() {
    Admin made = admin;
    if (made == null) {
      made = client.apply(clientConfig);
      admin = made;
    }
    return made;
  }

  private CompletionStage<TopicAnswer> describe(Admin a, String topic) {
    return asked(
            a.describeTopics(List.of(topic), new DescribeTopicsOptions().timeoutMs(timeout))
                .topicNameValues(),
            topic)
        .thenCompose(
            description -> {
              seen.add(topic);
              long at = System.currentTimeMillis();
              return bounds(a, description)
                  .thenCombine(
                      config(a, description), (bounds, c) -> answer(at, description, bounds, c));
            });
  }

  /** The answer for what was asked about: Kafka's results have one for each. */
  private static <K, V> CompletionStage<V> asked(Map<K, KafkaFuture<V>> answers, K about) {
    return Objects.requireNonNull(answers.get(about)).toCompletionStage();
  }

  private static TopicAnswer answer(
      long at,
      TopicDescription description,
      List<TopicAnswer.Bounds> bounds,
      TopicSettings config) {
    if (bounds.stream().noneMatch(TopicAnswer.Bounds::known)) {
      return new TopicAnswer.Failed(
          "no partition of topic " + description.name() + " has a leader that answers");
    }
    Uuid id = description.topicId();
    return new TopicAnswer.Known(
        at, new TopicId(id.getMostSignificantBits(), id.getLeastSignificantBits()), bounds, config);
  }

  private CompletionStage<List<TopicAnswer.Bounds>> bounds(Admin a, TopicDescription topic) {
    Map<TopicPartition, OffsetSpec> starts = new HashMap<>();
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (TopicPartitionInfo p : topic.partitions()) {
      if (p.leader() != null) {
        TopicPartition tp = new TopicPartition(topic.name(), p.partition());
        starts.put(tp, OffsetSpec.earliest());
        ends.put(tp, OffsetSpec.latest());
      }
    }
    // Under read_committed the latest offset is the last stable one.
    ListOffsetsOptions options =
        new ListOffsetsOptions(IsolationLevel.READ_COMMITTED).timeoutMs(timeout);
    ListOffsetsResult first = a.listOffsets(starts, options);
    ListOffsetsResult last = a.listOffsets(ends, options);
    CompletionStage<List<TopicAnswer.Bounds>> all =
        CompletableFuture.completedStage(new ArrayList<>());
    for (int i = 0; i < topic.partitions().size(); i++) {
      TopicPartition tp = new TopicPartition(topic.name(), i);
      CompletionStage<TopicAnswer.Bounds> one =
          starts.containsKey(tp)
              ? offset(first, tp)
                  .thenCombine(
                      offset(last, tp),
                      (s, e) ->
                          s < 0 || e < 0
                              ? TopicAnswer.Bounds.UNKNOWN
                              : new TopicAnswer.Bounds(s, e))
              : CompletableFuture.completedStage(TopicAnswer.Bounds.UNKNOWN);
      all =
          all.thenCombine(
              one,
              (list, b) -> {
                list.add(b);
                return list;
              });
    }
    return all;
  }

  /** The offset, or -1 if it could not be had. */
  private static CompletionStage<Long> offset(ListOffsetsResult result, TopicPartition tp) {
    return result
        .partitionResult(tp)
        .toCompletionStage()
        .handle(
            (info, e) -> {
              if (e != null) {
                LOG.debugf(e, "No offset of %s", tp);
                return -1L;
              }
              return info.offset();
            });
  }

  private CompletionStage<TopicSettings> config(Admin a, TopicDescription topic) {
    ReadConfig read = configs.get(topic.name());
    if (read != null
        && read.id().equals(topic.topicId())
        && System.nanoTime() - read.atNanos() < CONFIG_AGE_NANOS) {
      return CompletableFuture.completedStage(read.config());
    }
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
    return asked(
            a.describeConfigs(List.of(resource), new DescribeConfigsOptions().timeoutMs(timeout))
                .values(),
            resource)
        .handle(
            (c, e) -> {
              TopicSettings now;
              if (e != null && read == null && mayPass(cause(e))) {
                // Not assumed: tokens would be judged by a retention that may not be the topic's.
                throw new CompletionException(cause(e));
              }
              if (e != null) {
                now = read == null ? TopicSettings.ASSUMED : read.config();
                complain(
                    "config:" + topic.name(),
                    "The settings of topic "
                        + topic.name()
                        + " can't be read, so delete.retention.ms is taken to be "
                        + Duration.ofMillis(now.deleteRetention())
                        + " (needed: permission DescribeConfigs on the topic): "
                        + cause(e).getMessage());
              } else {
                now = parse(c);
              }
              configs.put(topic.name(), new ReadConfig(topic.topicId(), System.nanoTime(), now));
              return now;
            });
  }

  /** Whether the same question may be answered when it is asked again. */
  private static boolean mayPass(Throwable e) {
    return e instanceof RetriableException;
  }

  private static TopicSettings parse(Config c) {
    String policy = value(c, TopicConfig.CLEANUP_POLICY_CONFIG).orElse("delete");
    long retention =
        value(c, TopicConfig.DELETE_RETENTION_MS_CONFIG)
            .map(Long::parseLong)
            .orElse(TopicSettings.ASSUMED.deleteRetention());
    return new TopicSettings(
        policy.contains("compact"), policy.contains("delete"), retention, true);
  }

  private static Optional<String> value(Config c, String name) {
    return Optional.ofNullable(c.get(name)).map(ConfigEntry::value);
  }

  private CompletionStage<TopicAnswer> failed(String topic, Throwable e) {
    if (!(e instanceof UnknownTopicOrPartitionException)) {
      return CompletableFuture.completedStage(new TopicAnswer.Failed(reason(e)));
    }
    Admin a = admin;
    if (config.createTopics() && !seen.contains(topic) && a != null) {
      return create(a, topic);
    }
    return CompletableFuture.completedStage(new TopicAnswer.Missing());
  }

  private CompletionStage<TopicAnswer> create(Admin a, String topic) {
    NewTopic wanted =
        new NewTopic(topic, config.create().partitions(), config.create().replicationFactor());
    Map<String, String> settings = new HashMap<>();
    settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
    settings.putAll(config.create().config());
    return asked(
            a.createTopics(
                    List.of(wanted.configs(settings)), new CreateTopicsOptions().timeoutMs(timeout))
                .values(),
            topic)
        .handle(
            (ok, e) -> {
              if (e == null) {
                LOG.infof(
                    "Topic %s did not exist and was created (tablecast.create-topics)", topic);
              } else if (!(cause(e) instanceof TopicExistsException)) {
                String problem =
                    "topic " + topic + " does not exist and can't be created: " + reason(cause(e));
                complain("create:" + topic, problem + " (see tablecast.create.*)");
                return new TopicAnswer.Failed(problem);
              }
              return new TopicAnswer.Missing();
            });
  }

  private void noteContact(@Nullable TopicAnswer answer) {
    boolean now = !(answer instanceof TopicAnswer.Failed);
    if (contact.compareAndSet(!now, now)) {
      if (answer instanceof TopicAnswer.Failed failed) {
        LOG.warnf(
            "No answer from Kafka (kafka.bootstrap.servers=%s): %s. Tried again until there is one",
            clientConfig.get("bootstrap.servers"), failed.reason());
      } else {
        LOG.info("Kafka answers");
      }
    }
  }

  private void complain(String once, String message) {
    if (complained.add(once)) {
      LOG.warn(message);
    }
  }

  private static Throwable cause(Throwable e) {
    return e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
  }

  private static String reason(Throwable e) {
    if (e instanceof TimeoutException) {
      return "timed out";
    }
    StringBuilder all = new StringBuilder();
    for (Throwable t = e; t != null; t = t.getCause()) {
      all.append(all.isEmpty() ? "" : ": ")
          .append(t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage());
    }
    return all.toString();
  }
}
