package io.tablecast.http;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.tablecast.testkit.KafkaTables;
import io.tablecast.testkit.Message;
import io.tablecast.testkit.TestKafka;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(
    value = KafkaTables.class,
    initArgs = @ResourceArg(name = "topics", value = "events:2"))
class EventStreamTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TestHTTPResource URI base;

  @BeforeEach
  void noStreamIsOpen() {
    await().atMost(PATIENCE).untilAsserted(() -> assertEquals(0, streams()));
  }

  @Test
  void aStreamIsTheSubscriptionAndItsLastIdResumes() throws IOException {
    TestKafka kafka = TestKafka.shared();
    kafka.put("events", "k0", "{\"v\":\r\n 0}");
    String token;
    try (Stream stream = new Stream("?prefix=k&meta=true", null)) {
      assertEquals("snapshot", stream.next("subscribed").message.json().path("mode").asText());
      Event put = stream.next("changes");
      assertTrue(put.message.text().contains("{\"v\": \n 0}"), put.message.text());
      assertTrue(put.message.text().contains("\"offset\":"), put.message.text());
      kafka.put("events", "k1", "1");
      Event later = stream.next("changes");
      assertTrue(later.message.text().contains("\"k1\""), later.message.text());
      token = later.id;
      assertEquals(later.message.json().path("token").asText(), token);
    }
    kafka.put("events", "other", "1");
    kafka.put("events", "k2", "1");
    try (Stream stream = new Stream("?prefix=k", token)) {
      assertEquals("resume", stream.next("subscribed").message.json().path("mode").asText());
      Event first = stream.next("changes");
      assertTrue(first.message.text().contains("\"k2\""), first.message.text());
    }
  }

  @Test
  void aLastIdThatIsNoTokenGetsASnapshot() throws IOException {
    try (Stream stream = new Stream("", "garbage")) {
      assertEquals("snapshot", stream.next("subscribed").message.json().path("mode").asText());
      stream.next("live");
    }
  }

  @Test
  void headersKeepProxiesFromHoldingEventsBack() throws IOException {
    try (Stream stream = new Stream("", null)) {
      assertEquals("text/event-stream", stream.connection.getContentType());
      assertEquals("no-store", stream.connection.getHeaderField("Cache-Control"));
      assertEquals("no", stream.connection.getHeaderField("X-Accel-Buffering"));
      assertEquals(1, streams());
    }
  }

  private static double streams() {
    return RestAssured.get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith("tablecast_connections{kind=\"stream\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private record Event(Message message, @Nullable String id) {}

  private final class Stream implements AutoCloseable {
    private final HttpURLConnection connection;
    private final InputStream body;
    private final BufferedReader in;

    Stream(String query, @Nullable String lastId) throws IOException {
      connection =
          (HttpURLConnection)
              base.resolve("/tables/events/stream" + query).toURL().openConnection();
      connection.setReadTimeout(20_000);
      if (lastId != null) {
        connection.setRequestProperty("Last-Event-ID", lastId);
      }
      body = connection.getInputStream();
      in = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    /** The next event of this type; others are passed over. */
    Event next(String type) {
      Event event = next();
      while (!event.message.type().equals(type)) {
        event = next();
      }
      return event;
    }

    private Event next() {
      String name = null;
      String data = null;
      String id = null;
      try {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          if (line.startsWith("event: ")) {
            name = line.substring(7);
          } else if (line.startsWith("data: ")) {
            data = data == null ? line.substring(6) : data + '\n' + line.substring(6);
          } else if (line.startsWith("id: ")) {
            id = line.substring(4);
          } else if (line.isEmpty() && data != null) {
            Message message = Message.parse(data);
            assertEquals(message.type(), name);
            return new Event(message, id);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      throw new AssertionError("the stream has ended");
    }

    @Override
    public void close() {
      connection.disconnect();
    }
  }
}
