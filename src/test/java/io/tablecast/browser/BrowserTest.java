package io.tablecast.browser;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.tablecast.testkit.KafkaTables;
import io.tablecast.testkit.Message;
import io.tablecast.testkit.TestKafka;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pages in Chromium: {@code EventSource} and {@code WebSocket}. The page comes from another origin
 * than the tables, which is allowed when it is called {@code localhost}.
 */
@QuarkusTest
@WithTestResource(
    value = KafkaTables.class,
    initArgs = {
      @ResourceArg(name = "topics", value = "browser-stream,browser-socket"),
      @ResourceArg(name = "quarkus.http.cors.origins", value = "/http://localhost:[0-9]+/"),
      // On a slow machine they would come between the messages that are waited for.
      @ResourceArg(name = "tablecast.bookmark-interval", value = "1h"),
      @ResourceArg(name = "tablecast.stale-after", value = "1h")
    })
class BrowserTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final TestKafka kafka = TestKafka.shared();
  private Site site;
  private Relay relay;

  @TestHTTPResource URI app;

  @BeforeAll
  static void needsChromium() {
    assumeTrue(
        Browser.installed().isPresent(), "needs Chromium on the PATH: apt-get install chromium");
  }

  @BeforeEach
  void start() throws IOException {
    site = new Site();
    relay = new Relay(app.getPort());
  }

  @AfterEach
  void stop() throws IOException {
    site.close();
    relay.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"stream", "socket"})
  void aPageHoldsTheTableAndResumesAfterACut(String api) throws Exception {
    String table = "browser-" + api;
    kafka.put(table, "gone", "0");
    kafka.tombstone(table, "gone");
    kafka.put(table, "a", "{\"v\":\r\n [1, \"ü\"]}");
    kafka.put(table, "b", "null");
    awaitStatus(200, table, "b");
    try (Browser browser = open("localhost", api)) {
      assertEquals("snapshot", mode(next("subscribed", browser)));
      assertEquals(Map.of("a", "put", "b", "put"), changesUntilLive(browser, table));

      kafka.put(table, "c", "3");
      assertEquals(Map.of("c", "put"), ops(next("changes", browser)));
      kafka.tombstone(table, "a");
      JsonNode deleted = next("changes", browser);
      assertEquals(Map.of("a", "delete"), ops(deleted));
      assertEquals(fold(table), deleted.path("map"));
      String token = deleted.path("id").asText();
      assertFalse(token.isEmpty());
      assertEquals(deleted.path("message").path("token").asText(), token);

      relay.cut();
      assertTrue(next("ended", browser).path("again").booleanValue(), "the page has given up");
      kafka.put(table, "d", "4");
      kafka.tombstone(table, "b");
      awaitStatus(404, table, "b");
      relay.mend();
      assertEquals("resume", mode(next("subscribed", browser)));
      assertEquals(Map.of("b", "delete", "d", "put"), changesUntilLive(browser, table));
      String told = api.equals("stream") ? "Last-Event-ID: " + token : "resume=" + token;
      assertTrue(relay.sent().contains(told), () -> told + " is not in " + relay.sent());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"stream", "socket"})
  void aPageOfAForeignOriginIsRefused(String api) throws Exception {
    try (Browser browser = open("127.0.0.1", api)) {
      assertFalse(next("ended", browser).path("again").booleanValue(), "it was let in");
    }
  }

  private Browser open(String host, String api) throws IOException {
    return Browser.open(
        "http://%s:%d/page?api=%s&table=browser-%s&app=http://localhost:%d"
            .formatted(host, site.port(), api, api, relay.port()));
  }

  private JsonNode next(String event, Browser browser) throws InterruptedException {
    JsonNode report = site.next();
    assertNotNull(report, () -> "no report while waiting for " + event + ": " + browser);
    assertEquals(event, report.path("event").asText(), report::toString);
    if (report.has("message")) {
      assertEquals(event, report.path("message").path("type").asText(), report::toString);
    }
    return report;
  }

  /** Key to operation of all changes before {@code live}, when the page must hold the table. */
  private Map<String, String> changesUntilLive(Browser browser, String table)
      throws InterruptedException {
    Map<String, String> changes = new TreeMap<>();
    JsonNode report = next("changes", browser);
    changes.putAll(ops(report));
    while (!fold(table).equals(report.path("map"))) {
      report = next("changes", browser);
      changes.putAll(ops(report));
    }
    assertEquals(fold(table), next("live", browser).path("map"));
    return changes;
  }

  private JsonNode fold(String table) {
    ObjectNode fold = JsonNodeFactory.instance.objectNode();
    kafka
        .fold(table)
        .forEach(
            (key, value) -> fold.set(text(key.get()), Message.parse(text(value.get())).json()));
    return fold;
  }

  private static Map<String, String> ops(JsonNode report) {
    Map<String, String> ops = new TreeMap<>();
    for (JsonNode change : report.path("message").path("changes")) {
      ops.put(change.path("key").asText(), change.path("op").asText());
    }
    return ops;
  }

  private static String mode(JsonNode report) {
    return report.path("message").path("mode").asText();
  }

  private static void awaitStatus(int status, String table, String key) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                RestAssured.get("/tables/{table}/entries/{key}", table, key).statusCode()
                    == status);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
