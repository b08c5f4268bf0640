package io.tablecast.feed;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import io.tablecast.table.Tables;
import io.tablecast.testkit.EmbeddedBroker;
import io.tablecast.testkit.TestKafka;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/**
 * The broker comes after the service, then one topic, then the other; then the broker goes for a
 * while.
 */
@QuarkusTest
@QuarkusTestResource(value = LateBrokerTest.NoBroker.class, restrictToAnnotatedClass = true)
class LateBrokerTest {
  @Inject Tables tables;

  @ConfigProperty(name = "kafka.bootstrap.servers")
  String bootstrap;

  /** An address where nobody listens yet. */
  public static class NoBroker implements QuarkusTestResourceLifecycleManager {
    @Override
    public Map<String, String> start() {
      return Map.of(
          "kafka.bootstrap.servers", "localhost:" + EmbeddedBroker.freePort(),
          "tablecast.topics", "late.there,late.missing",
          "tablecast.stale-after", "2s",
          "tablecast.readiness.latched", "false");
    }

    @Override
    public void stop() {}
  }

  private static void eventually(ThrowingRunnable assertion) {
    await().atMost(Duration.ofSeconds(30)).untilAsserted(assertion);
  }

  private static ValidatableResponse ready(int status) {
    return given().get("/q/health/ready").then().statusCode(status);
  }

  private static String data(String name) {
    return "checks.find { it.name == 'tables' }.data.'" + name + "'";
  }

  private int size(String table) {
    return tables.find(table).version().size();
  }

  @Test
  void serviceWaitsForTheBrokerThenForTheTopicAndTellsWhenItLosesThem() {
    ready(503).body(data("late.there"), equalTo("waiting"));
    given().get("/q/health/live").then().statusCode(200);

    int port = Integer.parseInt(bootstrap.substring(bootstrap.indexOf(':') + 1));
    try (EmbeddedBroker broker = EmbeddedBroker.launch(port, Map.of())) {
      TestKafka kafka = broker.kafka();
      kafka.createTopic("late.there", 2);
      kafka.put("late.there", "a", "1");
      eventually(() -> assertTrue(tables.find("late.there").version().status().caughtUp()));
      eventually(
          () ->
              ready(503)
                  .body(data("late.there"), equalTo("caught-up"))
                  .body(
                      data("late.missing.waits-for"),
                      containsString("late.missing does not exist")));

      kafka.createTopic("late.missing", 1);
      kafka.put("late.missing", "b", "2");
      eventually(() -> ready(200));
      eventually(() -> assertEquals(1, size("late.missing")));

      broker.stop();
      eventually(
          () ->
              ready(503)
                  .body(data("late.there"), equalTo("stale"))
                  .body(data("late.there.stale-since"), notNullValue()));
      given().get("/q/health/live").then().statusCode(200);
      assertEquals(1, size("late.there"));

      broker.start();
      kafka.put("late.there", "c", "3");
      eventually(() -> assertEquals(2, size("late.there")));
      eventually(() -> ready(200));
    }
  }
}
