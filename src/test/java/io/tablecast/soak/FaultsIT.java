package io.tablecast.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tablecast.testkit.EmbeddedBroker;
import io.tablecast.testkit.EmbeddedCluster;
import io.tablecast.testkit.Message;
import io.tablecast.testkit.TestKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The packaged application before a cluster of three brokers: each fault once, and what clients and
 * operators are told.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultsIT {
  private static final String SPREAD = "faults.spread";
  private static final String LEADERLESS = "faults.leaderless";
  private static final String UNCLEAN = "faults.unclean";
  private static final String LATER = "faults.later";
  private static final String GROWN = "faults.grown";
  private static final String SHORTENED = "faults.shortened";
  private static final String RECREATED = "faults.recreated";

  private final EmbeddedCluster cluster = new EmbeddedCluster();
  private final TestKafka kafka = cluster.kafka();
  private final AppProcess app =
      new AppProcess("faults", EmbeddedBroker.freePort(), settings(cluster.outside()));

  private static Map<String, String> settings(String bootstrap) {
    return Map.of(
        "kafka.bootstrap.servers", bootstrap,
        "kafka.request.timeout.ms", "4000",
        "kafka.default.api.timeout.ms", "5000",
        "tablecast.topics",
            String.join(",", SPREAD, LEADERLESS, UNCLEAN, LATER, GROWN, SHORTENED, RECREATED),
        "tablecast.topic-check-interval", "500ms",
        "tablecast.stale-after", "5s",
        "tablecast.bookmark-interval", "1s",
        "tablecast.readiness.latched", "false");
  }

  @BeforeAll
  void startWithOneBrokerDown() {
    create(SPREAD, Map.of(), List.of(1, 2, 3), List.of(2, 3, 1), List.of(3, 1, 2));
    create(LEADERLESS, Map.of(), List.of(1), List.of(3));
    create(
        UNCLEAN,
        Map.of("unclean.leader.election.enable", "true", "min.insync.replicas", "1"),
        List.of(1, 2));
    create(GROWN, Map.of(), List.of(1));
    create(SHORTENED, Map.of("cleanup.policy", "compact,delete"), List.of(2));
    create(RECREATED, Map.of(), List.of(1), List.of(2));
    put(LEADERLESS, 0, "led", "1");
    put(LEADERLESS, 1, "leaderless", "1");
    for (int p = 0; p < 3; p++) {
      put(SPREAD, p, "first" + p, "1");
    }
    cluster.broker(3).stop();
    app.start();
  }

  @AfterAll
  void stop() {
    app.close();
    cluster.close();
  }

  // ---- helpers

  @SafeVarargs
  private void create(String topic, Map<String, String> settings, List<Integer>... replicas) {
    Map<Integer, List<Integer>> assignment = new java.util.HashMap<>();
    for (int p = 0; p < replicas.length; p++) {
      assignment.put(p, replicas[p]);
    }
    Map<String, String> all = new java.util.HashMap<>(Map.of("cleanup.policy", "compact"));
    all.putAll(settings);
    try (Admin admin = kafka.admin()) {
      admin.createTopics(List.of(new NewTopic(topic, assignment).configs(all))).all().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void put(String topic, int partition, String key, String value) {
    kafka.send(new ProducerRecord<>(topic, partition, text(key), text(value)));
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ConditionFactory eventually() {
    return Awaitility.await().atMost(Duration.ofSeconds(60));
  }

  private static void assertNoNewStart(List<Message> messages) {
    assertTrue(messages.stream().noneMatch(m -> m.type().equals("subscribed")), messages::toString);
  }

  private static boolean isSnapshot(Message message) {
    return message.type().equals("subscribed") && message.text().contains("\"mode\":\"snapshot\"");
  }

  private int leader(String topic, int partition) {
    try (Admin admin = kafka.admin()) {
      var leader =
          admin
              .describeTopics(List.of(topic))
              .allTopicNames()
              .get()
              .get(topic)
              .partitions()
              .get(partition)
              .leader();
      return leader == null ? -1 : leader.id();
    } catch (ExecutionException e) {
      return -1; // asked again
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Whatever the test before left behind. */
  private void allIsWell() {
    cluster.pauseNetwork(false);
    cluster.startAll();
  }

  // ---- at start

  @Test
  @Order(1)
  void partitionWithoutLeaderAtStartIsNamedAndTheOthersAreRead() {
    app.awaitUp();
    eventually()
        .until(
            () -> {
              String health = app.body("/q/health/ready");
              return health.contains("\"" + LEADERLESS + ".partition-1\": \"no leader")
                  && health.contains("\"" + SPREAD + "\": \"caught-up\"")
                  && !health.contains(LEADERLESS + ".partition-0");
            });
    assertEquals(503, app.status("/q/health/ready"));
    try (Watcher waiting = new Watcher(app, LEADERLESS)) {
      waiting.assertSilent(Duration.ofSeconds(1));
      cluster.broker(3).start();
      waiting.awaitMap(kafka.fold(LEADERLESS));
      assertEquals(2, kafka.fold(LEADERLESS).size());
    }
  }

  @Test
  @Order(2)
  void topicThatAppearsAfterTheStartIsWaitedForByName() {
    eventually()
        .until(() -> app.body("/q/health/ready").contains("topic " + LATER + " does not exist"));
    assertEquals(503, app.status("/q/health/ready"));
    try (Watcher waiting = new Watcher(app, LATER)) {
      waiting.assertSilent(Duration.ofSeconds(1));
      eventually() // a broker that has just started is fenced for a while
          .ignoreExceptions()
          .until(
              () -> {
                create(LATER, Map.of(), List.of(2), List.of(3));
                return true;
              });
      waiting.await("subscribed", FaultsIT::isSnapshot);
      put(LATER, 1, "a", "1");
      waiting.awaitMap(kafka.fold(LATER));
    }
    app.awaitReady();
  }

  // ---- brokers

  @Test
  @Order(3)
  void leaderThatGoesIsReplacedAndNothingIsMissed() {
    allIsWell();
    try (Watcher client = new Watcher(app, SPREAD)) {
      client.await("live");
      client.taken();
      int leader = leader(SPREAD, 0);
      cluster.broker(leader).stop();
      for (int p = 0; p < 3; p++) {
        put(SPREAD, p, "first" + p, "after the leader has gone");
      }
      client.awaitMap(kafka.fold(SPREAD));
      cluster.broker(leader).start();
      put(SPREAD, 0, "back", "1");
      client.awaitMap(kafka.fold(SPREAD));
      assertNoNewStart(client.taken());
    }
  }

  @Test
  @Order(4)
  void allBrokersDownIsStaleAndUpAgainIsLive() {
    allIsWell();
    app.awaitReady();
    try (Watcher client = new Watcher(app, SPREAD)) {
      client.await("live");
      cluster.stopAll();
      client.await("stale");
      assertEquals(503, app.status("/q/health/ready"));
      assertTrue(app.body("/q/health/ready").contains(SPREAD + ".stale-since"));
      assertEquals(200, app.status("/q/health/live"));
      try (Watcher late = new Watcher(app, SPREAD)) {
        late.await("live");
        late.await("stale");
        client.taken();
        cluster.startAll();
        client.await("live");
        late.await("live");
        put(SPREAD, 1, "after the outage", "1");
        client.awaitMap(kafka.fold(SPREAD));
        late.awaitMap(kafka.fold(SPREAD));
      }
      assertNoNewStart(client.taken());
    }
    app.awaitReady();
  }

  @Test
  @Order(5)
  void networkThatPausesForLongerThanRequestsMayTakeLosesNothing() {
    allIsWell();
    try (Watcher client = new Watcher(app, SPREAD)) {
      client.await("live");
      client.taken();
      cluster.pauseNetwork(true);
      put(SPREAD, 0, "during the pause", "1");
      kafka.send(new ProducerRecord<>(SPREAD, 1, text("first1"), null));
      client.await("stale");
      put(SPREAD, 2, "later in the pause", "1");
      client.assertSilent(Duration.ofSeconds(8));
      cluster.pauseNetwork(false);
      client.await("live");
      client.awaitMap(kafka.fold(SPREAD));
      assertNoNewStart(client.taken());
    }
  }

  @Test
  @Order(6)
  void uncleanElectionThatCutsTheLogOffStartsTheTableOver() {
    allIsWell();
    put(UNCLEAN, 0, "kept", "1");
    try (Watcher client = new Watcher(app, UNCLEAN).mayBeginAnew()) {
      client.awaitMap(kafka.fold(UNCLEAN));
      cluster.broker(2).stop();
      for (int i = 0; i < 5; i++) {
        put(UNCLEAN, 0, "lost" + i, "1");
      }
      put(UNCLEAN, 0, "kept", "lost");
      client.awaitMap(kafka.fold(UNCLEAN));
      String token = client.token();
      client.taken();
      cluster.broker(1).stop();
      cluster.broker(2).start();
      eventually().until(() -> leader(UNCLEAN, 0) == 2);
      for (int i = 0; i < 20; i++) {
        put(UNCLEAN, 0, "new" + i, "1");
      }
      cluster.broker(1).start();
      assertFalse(kafka.fold(UNCLEAN).toString().contains("lost"), "nothing was cut off");
      client.awaitMap(kafka.fold(UNCLEAN));
      assertTrue(client.taken().stream().anyMatch(FaultsIT::isSnapshot));
      try (Watcher back = new Watcher(app, UNCLEAN, token)) {
        back.await("subscribed", FaultsIT::isSnapshot);
        back.awaitMap(kafka.fold(UNCLEAN));
      }
    }
  }

  // ---- the life of a topic

  @Test
  @Order(7)
  void addedPartitionsAreRead() {
    allIsWell();
    put(GROWN, 0, "a", "1");
    try (Watcher client = new Watcher(app, GROWN)) {
      client.awaitMap(kafka.fold(GROWN));
      String token = client.token();
      client.taken();
      kafka.growTopic(GROWN, 3);
      eventually().ignoreExceptions().until(() -> leader(GROWN, 2) > 0);
      put(GROWN, 1, "b", "1");
      put(GROWN, 2, "c", "1");
      client.awaitMap(kafka.fold(GROWN));
      assertEquals(3, kafka.fold(GROWN).size());
      assertNoNewStart(client.taken());
      try (Watcher back = new Watcher(app, GROWN, token)) {
        Message first = back.await("subscribed");
        assertTrue(first.text().contains("\"mode\":\"resume\""), first::text);
        back.await("c", m -> m.text().contains("\"key\":\"c\""));
      }
    }
  }

  @Test
  @Order(8)
  void deletedRecordsAreDeletesWithThePartitionAlone() {
    allIsWell();
    for (int i = 0; i < 4; i++) {
      put(SHORTENED, 0, "key" + i, "1");
    }
    try (Watcher client = new Watcher(app, SHORTENED)) {
      client.awaitMap(kafka.fold(SHORTENED));
      String token = client.token();
      kafka.deleteRecords(SHORTENED, 0, 2);
      Message told = client.await("deletes", m -> m.text().contains("\"op\":\"delete\""));
      var change = told.changes().get(0).json();
      assertEquals(0, change.path("partition").asInt(-1));
      assertNull(change.get("offset"), told::text);
      assertNull(change.get("timestamp"), told::text);
      client.awaitMap(kafka.fold(SHORTENED));
      assertEquals(2, kafka.fold(SHORTENED).size());
      try (Watcher back = new Watcher(app, SHORTENED, token)) {
        back.await("both deletes", m -> m.type().equals("changes") && m.changes().size() == 2);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 6, 12})
  @Order(9)
  void topicThatIsCreatedAgainStartsTheTableOver(int records) {
    allIsWell();
    int before = kafka.read(RECREATED).size();
    for (int i = before; i < 6; i++) {
      put(RECREATED, i % 2, "old" + i, "1");
    }
    try (Watcher client = new Watcher(app, RECREATED).mayBeginAnew()) {
      client.awaitMap(kafka.fold(RECREATED));
      String token = client.token();
      client.taken();
      kafka.deleteTopic(RECREATED);
      eventually()
          .ignoreExceptions()
          .until(
              () -> {
                create(RECREATED, Map.of(), List.of(2), List.of(1));
                return true;
              });
      for (int i = 0; i < records; i++) {
        put(RECREATED, i % 2, "new" + records + "-" + i, "1");
      }
      client.await("a new start", FaultsIT::isSnapshot);
      client.awaitMap(kafka.fold(RECREATED));
      assertEquals(records, kafka.fold(RECREATED).size());
      try (Watcher back = new Watcher(app, RECREATED, token)) {
        back.await("subscribed", FaultsIT::isSnapshot);
        back.awaitMap(kafka.fold(RECREATED));
      }
    }
  }
}
