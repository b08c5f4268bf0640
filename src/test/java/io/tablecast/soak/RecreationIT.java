package io.tablecast.soak;

import io.tablecast.testkit.EmbeddedBroker;
import io.tablecast.testkit.TestKafka;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A topic that is created again with fewer partitions, and grows. Kafka's consumer keeps the leader
 * epochs of the partitions that are gone, and would not believe in the leaders of those that come
 * later, whose epochs begin anew.
 */
class RecreationIT {
  private final EmbeddedBroker broker = EmbeddedBroker.launch(EmbeddedBroker.freePort(), Map.of());
  private final TestKafka kafka = broker.kafka();

  @AfterEach
  void stop() {
    broker.close();
  }

  @Test
  void onlyTopicIsReadToItsEndAfterItCameBackWithFewerPartitionsAndGrew() {
    growAfterRecreation("again");
  }

  @Test
  void oneOfSeveralTopicsIsReadToItsEndAfterItCameBackWithFewerPartitionsAndGrew() {
    kafka.createTopic("other", 2);
    growAfterRecreation("again,other");
  }

  private void growAfterRecreation(String topics) {
    kafka.createTopic("again", 3);
    kafka.put("again", "before", "0");
    try (AppProcess app =
        new AppProcess("recreation", EmbeddedBroker.freePort(), settings(topics))) {
      app.start();
      app.awaitReady();
      broker.stop(); // leader epochs grow by it
      broker.start();
      await(app, "before");
      kafka.put("again", "bounced", "1");
      await(app, "bounced");

      kafka.deleteTopic("again");
      kafka.createTopic("again", 1);
      kafka.forgetProducer();
      kafka.put("again", "recreated", "2");
      await(app, "recreated");
      kafka.growTopic("again", 3);
      kafka.forgetProducer();
      for (int partition = 0; partition < 3; partition++) {
        kafka.send("again", partition, ("grown-" + partition).getBytes(), "3".getBytes());
        await(app, "grown-" + partition);
      }
      Awaitility.await().until(() -> app.status("/tables/again/entries/before") == 404);
    }
  }

  private static void await(AppProcess app, String key) {
    Awaitility.await(key)
        .atMost(Duration.ofSeconds(30))
        .until(() -> app.status("/tables/again/entries/" + key) == 200);
  }

  private Map<String, String> settings(String topics) {
    return Map.of(
        "kafka.bootstrap.servers",
        broker.bootstrap(),
        "tablecast.topics",
        topics,
        "tablecast.topic-check-interval",
        "500ms");
  }
}
