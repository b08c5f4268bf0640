package io.tablecast.feed;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumer;
import io.tablecast.table.PartitionFrontier;
import io.tablecast.table.Table;
import io.tablecast.table.Tables;
import io.tablecast.table.Version;
import io.tablecast.testkit.KafkaTables;
import io.tablecast.testkit.TestKafka;
import io.tablecast.token.Judge;
import io.tablecast.token.Token;
import io.tablecast.token.Verdict;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/**
 * Records are deleted before they have been read. Checks are so far apart that none tells of it:
 * the polls must.
 */
@QuarkusTest
@QuarkusTestResource(
    value = LogStartTest.Topics.class,
    restrictToAnnotatedClass = true,
    initArgs = {
      @ResourceArg(name = "topics", value = "start.some:0,start.all:0,start.gaps:0"),
      @ResourceArg(name = "tablecast.topic-check-interval", value = "PT10H"),
      @ResourceArg(name = "tablecast.stale-after", value = "PT30H")
    })
class LogStartTest {
  private static final Map<String, String> EXPIRING = Map.of("cleanup.policy", "compact,delete");

  @Inject Tables tables;
  @Inject KafkaClientService clients;
  @Inject MeterRegistry registry;

  private final TestKafka kafka = TestKafka.shared();

  /** What lies in the topics when the application starts. */
  public static class Topics extends KafkaTables {
    @Override
    protected void prepare(TestKafka kafka) {
      for (String topic : List.of("start.some", "start.all", "start.gaps")) {
        kafka.createTopic(topic, 2, EXPIRING);
        kafka.send(topic, 0, bytes("a"), bytes("1"));
        kafka.send(topic, 0, bytes("b"), bytes("2"));
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Table followed(String topic) {
    Table table = tables.find(topic);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> table.version().status().caughtUp() && partition(table.version(), 0).next() == 2);
    return table;
  }

  private static PartitionFrontier partition(Version version, int partition) {
    return version.status().frontier().partitions().get(partition);
  }

  /** The first version that is seen with the position of partition 0 at or after this offset. */
  private static Version versionAt(Table table, long offset) {
    return await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(1))
        .until(table::version, v -> partition(v, 0).next() >= offset);
  }

  private static Verdict judged(Token token, Version version) {
    return Judge.judge(token, version, 0);
  }

  /** Holds the consumer back while something is done to the logs. */
  private void unread(Runnable action) throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    KafkaConsumer<byte[], byte[]> consumer = clients.getConsumer(FeedChannel.NAME);
    consumer
        .runOnPollingThread(
            (Consumer<byte[], byte[]> c) -> {
              held.countDown();
              try {
                done.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            })
        .subscribe()
        .with(ok -> {});
    try {
      assertTrue(held.await(10, TimeUnit.SECONDS));
      action.run();
    } finally {
      done.countDown();
    }
  }

  /** A fetch that waits at the broker is answered with this record, and not with what follows. */
  private void bait(String topic) {
    kafka.send(topic, 0, bytes("bait"), bytes("3"));
  }

  @Test
  void deletionsThatWereNeverReadAreKnownWithTheRecordsBehindThem() throws InterruptedException {
    Table table = followed("start.some");
    Token before = Token.of(table.version().status().frontier());
    unread(
        () -> {
          bait("start.some");
          kafka.send("start.some", 0, bytes("a"), null);
          kafka.send("start.some", 0, bytes("short-lived"), bytes("5"));
          kafka.deleteRecords("start.some", 0, 5);
          kafka.send("start.some", 0, bytes("c"), bytes("6"));
        });
    Version version = versionAt(table, 4);
    assertEquals(6, partition(version, 0).next());
    assertEquals(5, partition(version, 0).start(), "a token says how far the table was cut");
    assertEquals(5, partition(version, 0).origin(), "what was deleted before it is not known here");
    assertEquals(kafka.fold("start.some"), Contents.of(table));
    assertInstanceOf(Verdict.Refused.class, judged(before, version));
    assertInstanceOf(Verdict.Exact.class, judged(Token.of(version.status().frontier()), version));
    assertEquals(
        0, registry.get("tablecast.table.restarts").tag("table", "start.some").counter().count());
  }

  @Test
  void positionNeverPassesDeletionsThatAreNotKnownIfNothingIsLeftBehindThem()
      throws InterruptedException {
    Table table = followed("start.all");
    unread(
        () -> {
          bait("start.all");
          kafka.send("start.all", 0, bytes("a"), null);
          kafka.deleteRecords("start.all", 0, -1);
          // Its poll may tell of partition 0, too.
          kafka.send("start.all", 1, bytes("x"), bytes("1"));
        });
    await().atMost(Duration.ofSeconds(20)).until(table::version, v -> partition(v, 1).next() == 1);
    PartitionFrontier waiting = partition(table.version(), 0);
    assertTrue(waiting.next() <= 3 || waiting.start() == 4, waiting.toString());
    kafka.send("start.all", 0, bytes("c"), bytes("5"));
    PartitionFrontier after = partition(versionAt(table, 5), 0);
    assertEquals(4, after.start());
    assertEquals(4, after.origin());
    assertEquals(kafka.fold("start.all"), Contents.of(table));
  }

  @Test
  void offsetsThatAreMissingForAnotherReasonCutNothing() {
    Table table = followed("start.gaps");
    Token before = Token.of(table.version().status().frontier());
    kafka.deleteRecords("start.gaps", 0, 1);
    kafka.transaction(
        false, List.of(new ProducerRecord<>("start.gaps", 0, bytes("never"), bytes("seen"))));
    kafka.send("start.gaps", 0, bytes("c"), bytes("3"));
    Version version = versionAt(table, 5);
    assertEquals(0, partition(version, 0).origin(), "all that was deleted had been read");
    assertInstanceOf(Verdict.Exact.class, judged(before, version));
  }
}
