package io.tablecast.feed;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.tablecast.table.PartitionFrontier;
import io.tablecast.table.Table;
import io.tablecast.table.Tables;
import io.tablecast.table.TopicId;
import io.tablecast.testkit.KafkaTables;
import io.tablecast.testkit.TestKafka;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.utils.Bytes;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(
    value = FeedTest.Topics.class,
    restrictToAnnotatedClass = true,
    initArgs = {
      @ResourceArg(
          name = "topics",
          value =
              "feed.plain:3,feed.empty:2,feed.keyless:0,feed.trimmed:0,feed.committed,feed.aborted,"
                  + "feed.compacted:0,feed.open,feed.grown:2,feed.recreated:3,feed.deleted,feed.shortened:0,feed.created:0,feed.contested:2"),
      @ResourceArg(name = "tablecast.topic-check-interval", value = "300ms"),
      @ResourceArg(name = "tablecast.create-topics", value = "true"),
      @ResourceArg(name = "tablecast.create.partitions", value = "3"),
      @ResourceArg(name = "tablecast.create.config.\"segment.ms\"", value = "3600000"),
      @ResourceArg(name = "tablecast.tables.\"feed.plain\".format", value = "json")
    })
class FeedTest {
  @Inject Tables tables;
  @Inject TableInfos infos;
  @Inject MeterRegistry registry;

  private final TestKafka kafka = TestKafka.shared();

  /** What lies in the topics when the application starts. */
  public static class Topics extends KafkaTables {
    private static final Map<String, String> EXPIRING = Map.of("cleanup.policy", "compact,delete");

    @Override
    protected void prepare(TestKafka kafka) {
      for (int i = 0; i < 1000; i++) {
        if (i % 7 == 0) {
          kafka.tombstone("feed.plain", "key" + i % 100);
        } else if (i % 10 == 0) {
          kafka.put("feed.plain", "key" + i % 100, "value" + i);
        }
      }
      keyless(kafka);
      kafka.createTopic("feed.trimmed", 2, EXPIRING);
      kafka.put("feed.trimmed", "a", "1");
      kafka.put("feed.trimmed", "b", "2");
      kafka.put("feed.trimmed", "c", "3");
      kafka.deleteRecords("feed.trimmed", 0, -1);
      kafka.deleteRecords("feed.trimmed", 1, -1);
      kafka.put("feed.committed", "before", "1");
      kafka.transaction(true, List.of(record("feed.committed", "inside", "2")));
      kafka.transaction(false, List.of(record("feed.aborted", "never", "seen")));
      compacted(kafka);
      kafka.put("feed.grown", "a", "1");
      kafka.put("feed.recreated", "a", "1");
      kafka.put("feed.recreated", "b", "2");
      kafka.put("feed.deleted", "a", "1");
      kafka.createTopic("feed.shortened", 1, EXPIRING);
      for (int i = 0; i < 10; i++) {
        kafka.put("feed.shortened", "key" + i, "value");
      }
    }

    /**
     * A topic that was never compacted, or was made so too late: Kafka refuses such records in a
     * compacted one.
     */
    private static void keyless(TestKafka kafka) {
      kafka.createTopic("feed.keyless", 1, Map.of("cleanup.policy", "delete"));
      kafka.put("feed.keyless", "a", "1");
      kafka.send("feed.keyless", 0, null, bytes("nobody's"));
      kafka.send("feed.keyless", 0, null, null);
      kafka.send("feed.keyless", 0, new byte[0], bytes("of the empty key"));
      kafka.put("feed.keyless", "b", "2");
    }

    /**
     * Written until the cleaner has been at it, so that offsets are missing also close to the end.
     */
    private static void compacted(TestKafka kafka) {
      if (kafka.topics().contains("feed.compacted")) {
        return;
      }
      kafka.createTopic("feed.compacted", 1, TestKafka.QUICKLY_COMPACTED);
      long[] written = {0};
      await()
          .atMost(Duration.ofSeconds(30))
          .pollInterval(Duration.ofMillis(250))
          .until(
              () -> {
                for (int i = 0; i < 20; i++) {
                  kafka.put("feed.compacted", "key" + i % 3, "value" + written[0]++);
                }
                return kafka.read("feed.compacted").size() < written[0] - 20;
              });
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, String key, String value) {
    return new ProducerRecord<>(topic, bytes(key), bytes(value));
  }

  private static void eventually(ThrowingRunnable assertion) {
    await().atMost(Duration.ofSeconds(20)).untilAsserted(assertion);
  }

  private Table table(String name) {
    Table table = tables.find(name);
    assertTrue(table != null, name);
    return table;
  }

  private void assertIsTheFold(String topic) {
    eventually(() -> assertEquals(kafka.fold(topic), Contents.of(table(topic))));
  }

  private double counted(String counter, String... tags) {
    return registry.get(counter).tags(tags).counter().count();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "feed.plain",
        "feed.empty",
        "feed.keyless",
        "feed.trimmed",
        "feed.committed",
        "feed.aborted",
        "feed.compacted"
      })
  void tableCatchesUpAndIsWhatANewReaderWouldBuild(String topic) {
    eventually(
        () -> assertTrue(table(topic).version().status().caughtUp(), infos.all().toString()));
    assertEquals(kafka.fold(topic), Contents.of(table(topic)));
    eventually(() -> assertEquals(0, infos.find(topic).lag()));
  }

  @Test
  void readinessIsUpOnceAllTablesHaveCaughtUp() {
    eventually(
        () ->
            given()
                .get("/q/health/ready")
                .then()
                .statusCode(200)
                .body(
                    "checks.find { it.name == 'tables' }.data.'feed.plain'", equalTo("caught-up")));
    given().get("/q/health/live").then().statusCode(200);
  }

  @Test
  void recordsWithoutKeyAreCountedAndPassedOver() {
    eventually(
        () ->
            assertEquals(
                2,
                counted(
                    "tablecast.records.skipped", "topic", "feed.keyless", "reason", "null-key")));
    assertEquals(3, table("feed.keyless").version().size());
  }

  @Test
  void positionsPassTransactionMarkersAndMissingOffsets() {
    for (String topic : List.of("feed.committed", "feed.aborted", "feed.compacted")) {
      eventually(
          () ->
              assertEquals(
                  kafka.end(topic, 0),
                  table(topic).version().status().frontier().partitions().stream()
                      .mapToLong(PartitionFrontier::next)
                      .findFirst()
                      .orElse(-1)));
    }
  }

  @Test
  void openTransactionHoldsBackWhatIsBehindItAndNothingElse() throws Exception {
    kafka.put("feed.open", "before", "1");
    try (TestKafka.OpenTransaction open = kafka.open()) {
      open.send(record("feed.open", "inside", "2"));
      kafka.put("feed.open", "behind", "3");
      eventually(() -> assertEquals(1, table("feed.open").version().size()));
      assertIsTheFold("feed.open");
      given().get("/q/health/ready").then().statusCode(200);
      open.commit();
    }
    eventually(() -> assertEquals(3, table("feed.open").version().size()));
  }

  @Test
  void addedPartitionsAreReadAndNothingIsReadTwice() {
    assertIsTheFold("feed.grown");
    kafka.growTopic("feed.grown", 5);
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      records.add(new ProducerRecord<>("feed.grown", i % 5, bytes("key" + i), bytes("value" + i)));
    }
    kafka.sendAll(records);
    assertIsTheFold("feed.grown");
    eventually(() -> assertEquals(5, infos.find("feed.grown").partitions()));
    assertEquals(51, counted("tablecast.records", "topic", "feed.grown"));
    assertEquals(0, counted("tablecast.table.restarts", "table", "feed.grown"));
  }

  @Test
  void keysVanishWhenTheStartOfTheLogPassesThem() {
    assertIsTheFold("feed.shortened");
    kafka.deleteRecords("feed.shortened", 0, 4);
    eventually(() -> assertEquals(6, table("feed.shortened").version().size()));
    assertIsTheFold("feed.shortened");
    kafka.deleteRecords("feed.shortened", 0, -1);
    eventually(() -> assertEquals(Map.<Bytes, Bytes>of(), Contents.of(table("feed.shortened"))));
    kafka.put("feed.shortened", "key1", "again");
    assertIsTheFold("feed.shortened");
    assertEquals(0, counted("tablecast.table.restarts", "table", "feed.shortened"));
  }

  @Test
  void recreatedTopicStartsTheTableOver() {
    assertIsTheFold("feed.recreated");
    int incarnation = table("feed.recreated").version().incarnation();
    TopicId id = table("feed.recreated").version().status().frontier().topicId();
    kafka.deleteTopic("feed.recreated");
    kafka.createTopic("feed.recreated", 2);
    // To partitions that both have: a producer still knows the old third one.
    kafka.send("feed.recreated", 0, bytes("b"), bytes("new"));
    kafka.send("feed.recreated", 0, bytes("c"), bytes("new"));
    kafka.send("feed.recreated", 1, bytes("d"), bytes("new"));
    eventually(
        () -> {
          assertTrue(table("feed.recreated").version().status().caughtUp());
          assertNotEquals(incarnation, table("feed.recreated").version().incarnation());
          assertNotEquals(id, table("feed.recreated").version().status().frontier().topicId());
        });
    assertIsTheFold("feed.recreated");
    assertEquals(2, infos.find("feed.recreated").partitions());
  }

  @Test
  void deletedTopicEmptiesTheTableUntilItIsBack() {
    assertIsTheFold("feed.deleted");
    kafka.deleteTopic("feed.deleted");
    eventually(() -> assertFalse(table("feed.deleted").version().status().caughtUp()));
    assertEquals(0, table("feed.deleted").version().size());
    eventually(
        () ->
            given()
                .get("/q/health/ready")
                .then()
                .body(
                    "checks.find { it.name == 'tables' }.data.'feed.deleted.waits-for'",
                    equalTo("topic feed.deleted does not exist")));
    kafka.createTopic("feed.deleted", 2);
    kafka.put("feed.deleted", "x", "1");
    eventually(() -> assertTrue(table("feed.deleted").version().status().caughtUp()));
    assertIsTheFold("feed.deleted");
  }

  @Test
  void missingTopicIsCreatedCompacted() throws Exception {
    eventually(() -> assertEquals(3, infos.find("feed.created").partitions()));
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, "feed.created");
    try (Admin admin = kafka.admin()) {
      Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
      assertEquals("compact", config.get("cleanup.policy").value());
      assertEquals("3600000", config.get("segment.ms").value());
    }
    kafka.put("feed.created", "a", "1");
    assertIsTheFold("feed.created");
  }

  @Test
  void mistakesAreShownAsWarnings() {
    assertWarns("feed.keyless", "no-key", "2 records have no key");
    assertWarns("feed.keyless", "not-compacted", "Set cleanup.policy=compact");
    assertWarns("feed.trimmed", "compact-delete", "vanish after retention.ms");
    assertWarns("feed.compacted", "short-delete-retention", "delete.retention.ms is 100");
    assertWarns("feed.plain", "format", "values are not json");
    assertEquals(List.of(), infos.find("feed.empty").warnings());
  }

  @Test
  void keyInSeveralPartitionsIsWarnedAboutWithAnExample() {
    kafka.send("feed.contested", 0, bytes("twice"), bytes("old"));
    kafka.send("feed.contested", 1, bytes("twice"), bytes("new"));
    assertWarns("feed.contested", "contested-keys", "\"twice\"");
    assertIsTheFold("feed.contested");
  }

  private void assertWarns(String topic, String code, String text) {
    eventually(
        () ->
            assertTrue(
                infos.find(topic).warnings().stream()
                    .anyMatch(w -> w.code().equals(code) && w.message().contains(text)),
                () -> topic + ": " + infos.find(topic).warnings()));
  }
}
