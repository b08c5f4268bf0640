package io.tablecast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.tablecast.config.Settings;
import io.tablecast.config.TablecastConfig;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A topic whose settings come late, or not at all, while everything else is answered. */
class TopicWatcherTest {
  private static final String TOPIC = "t";
  private static final Uuid ID = new Uuid(1, 1);
  private static final Config BRIEF =
      new Config(
          List.of(
              new ConfigEntry("cleanup.policy", "compact"),
              new ConfigEntry("delete.retention.ms", "60000")));

  private KafkaFuture<Config> settings = KafkaFuture.completedFuture(BRIEF);
  private final TopicWatcher watcher = new TopicWatcher(settings(), Map.of(), c -> brokers());

  @AfterEach
  void close() {
    watcher.close();
  }

  private static Settings settings() {
    return new Settings(
        new SmallRyeConfigBuilder()
            .addDiscoveredConverters()
            .addDefaultInterceptors()
            .withMapping(TablecastConfig.class)
            .withSources(new PropertiesConfigSource(Map.of("tablecast.topics", TOPIC), "test", 100))
            .build()
            .getConfigMapping(TablecastConfig.class));
  }

  private static <T> KafkaFuture<T> failed(Throwable e) {
    KafkaFutureImpl<T> future = new KafkaFutureImpl<>();
    future.completeExceptionally(e);
    return future;
  }

  private Admin brokers() {
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, args) -> answer(method));
  }

  private Object answer(Method asked) {
    return switch (asked.getName()) {
      case "describeTopics" -> description();
      case "listOffsets" ->
          new ListOffsetsResult(
              Map.of(
                  new TopicPartition(TOPIC, 0),
                  KafkaFuture.completedFuture(new ListOffsetsResultInfo(5, -1, Optional.empty()))));
      case "describeConfigs" ->
          new DescribeConfigsResult(
              Map.of(new ConfigResource(ConfigResource.Type.TOPIC, TOPIC), settings)) {};
      case "close" -> Optional.empty(); // returns nothing
      default -> throw new AssertionError(asked);
    };
  }

  private static DescribeTopicsResult description() {
    Node broker = new Node(1, "localhost", 9092);
    List<Node> replicas = List.of(broker);
    TopicDescription description =
        new TopicDescription(
            TOPIC, false, List.of(new TopicPartitionInfo(0, broker, replicas, replicas)), null, ID);
    return new DescribeTopicsResult(
        null, Map.of(TOPIC, KafkaFuture.completedFuture(description))) {};
  }

  private TopicAnswer check() throws Exception {
    return watcher.check(TOPIC).toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private TopicSettings known() throws Exception {
    return assertInstanceOf(TopicAnswer.Known.class, check()).config();
  }

  @Test
  void settingsThatComeLateAreWaitedForSinceTokensAreJudgedByThem() throws Exception {
    settings = failed(new TimeoutException("late"));
    assertInstanceOf(TopicAnswer.Failed.class, check());
    settings = KafkaFuture.completedFuture(BRIEF);
    assertEquals(new TopicSettings(true, false, 60_000, true), known());
  }

  @Test
  void settingsThatMayNotBeSeenAreAssumed() throws Exception {
    settings = failed(new TopicAuthorizationException("not allowed"));
    assertEquals(TopicSettings.ASSUMED, known());
  }

  @Test
  void settingsThatWereReadAreNotAskedForAgainAtOnce() throws Exception {
    assertEquals(60_000, known().deleteRetention());
    settings = failed(new TimeoutException("late"));
    assertEquals(60_000, known().deleteRetention());
  }
}
