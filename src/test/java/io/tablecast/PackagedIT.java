package io.tablecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.restassured.RestAssured;
import io.tablecast.testkit.KafkaTables;
import io.tablecast.testkit.TestKafka;
import io.tablecast.testkit.WsClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The packaged application, as it is delivered, before a real broker. */
@QuarkusIntegrationTest
@WithTestResource(
    value = PackagedIT.Filled.class,
    initArgs = @ResourceArg(name = "topics", value = PackagedIT.TOPIC + ":2"))
class PackagedIT {
  static final String TOPIC = "packaged";

  private final TestKafka kafka = TestKafka.shared();

  @TestHTTPResource("/")
  String base = "";

  /** Has a key before the start. */
  public static final class Filled extends KafkaTables {
    @Override
    protected void prepare(TestKafka kafka) {
      kafka.put(TOPIC, "a", "{\"n\": 1.0}");
    }
  }

  @Test
  void servesSnapshotThenLiveThenUpdatesAndDeletes() {
    Awaitility.await()
        .until(() -> RestAssured.get("/q/health/ready").statusCode(), status -> status == 200);
    try (WsClient client = WsClient.connect(base, "/ws/" + TOPIC)) {
      assertEquals("snapshot", client.next("subscribed").json().path("mode").asText());
      assertChange("{\"op\":\"put\",\"key\":\"a\",\"value\":{\"n\": 1.0}}", client);
      client.next("live");
      kafka.put(TOPIC, "a", "{\"n\":2}");
      assertChange("{\"op\":\"put\",\"key\":\"a\",\"value\":{\"n\":2}}", client);
      kafka.tombstone(TOPIC, "a");
      assertChange("{\"op\":\"delete\",\"key\":\"a\"}", client);
    }
    assertEquals(404, RestAssured.get("/tables/" + TOPIC + "/entries/a").statusCode());
    assertTrue(RestAssured.get("/q/metrics").asString().contains("tablecast"));
  }

  private static void assertChange(String expected, WsClient client) {
    assertEquals(expected, client.next("changes").changes().get(0).source());
  }
}
