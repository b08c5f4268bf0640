package io.tablecast.socket;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tablecast.testkit.KafkaTables;
import io.tablecast.testkit.Message;
import io.tablecast.testkit.TestKafka;
import io.tablecast.testkit.WsClient;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@WithTestResource(
    value = KafkaTables.class,
    initArgs =
        @ResourceArg(
            name = "topics",
            value =
                "sockets:2,sockets-large,"
                    + "sockets-with-a-name-that-is-longer-than-the-sixty-four-characters-of-an-id"))
class SocketProtocolTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final String LONG_NAME =
      "sockets-with-a-name-that-is-longer-than-the-sixty-four-characters-of-an-id";
  private static final int LIMIT = 1 << 20;

  @TestHTTPResource URI base;

  @Test
  void connectingToATableSubscribesWithItsNameAsId() {
    TestKafka.shared().put("sockets", "k1", "{\"v\": 1}");
    try (WsClient client = connect("/ws/sockets?key=k1&meta=true")) {
      assertEquals("sockets", client.next("subscribed").id());
      // Before live or after, as fast as the record comes here.
      Message changes = client.nextThat(m -> m.type().equals("changes"));
      assertTrue(changes.text().contains("\"value\":{\"v\": 1}"), changes.text());
      assertTrue(changes.text().contains("\"offset\":"), changes.text());
      client.send("{\"type\":\"unsubscribe\",\"id\":\"sockets\"}");
      client.nextThat(m -> m.type().equals("unsubscribed"));
    }
  }

  @Test
  void theIdThatATablesNameGivesMayBeLongerThanAClientsOwn() {
    try (WsClient client = connect("/ws/" + LONG_NAME)) {
      assertEquals(LONG_NAME, client.next("subscribed").id());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "meta=1, bad-message, meta",
    "snapshot=, bad-message, snapshot",
    "interval=-1, bad-message, interval",
    "key=%ff, bad-message, key",
    "resume=x, bad-token, ''",
    "resume=, bad-token, ''",
  })
  void aWrongOptionIsAnsweredByAnErrorOnTheOpenConnection(String query, String code, String named) {
    try (WsClient client = connect("/ws/sockets?" + query)) {
      Message error = client.next("error");
      assertEquals("sockets", error.id());
      assertEquals(code, error.json().path("code").asText());
      assertTrue(error.json().path("message").asText().contains(named), error.text());
      client.send("{\"type\":\"ping\"}");
      client.next("pong");
    }
  }

  @Test
  void upgradesAreRefusedWithAStatus() throws IOException {
    assertEquals(404, upgrade("/ws/no-such-table"));
    assertEquals(403, upgrade("/ws", "Origin: https://evil.example"));
    assertEquals(403, upgrade("/ws/sockets", "Origin: null"));
    assertEquals(101, upgrade("/ws", "Origin: http://" + base.getAuthority()));
    assertEquals(101, upgrade("/ws"));
  }

  @Test
  void theSubprotocolIsSelectedWhenItIsOffered() throws IOException {
    try (RawSocket two = new RawSocket(base, "/ws", "Sec-WebSocket-Protocol: foo, tablecast.v1");
        RawSocket other = new RawSocket(base, "/ws", "Sec-WebSocket-Protocol: foo");
        RawSocket none = new RawSocket(base, "/ws")) {
      assertEquals("tablecast.v1", two.header("sec-websocket-protocol"));
      assertEquals("", other.header("sec-websocket-protocol"));
      assertEquals("", none.header("sec-websocket-protocol"));
      for (RawSocket socket : List.of(two, other, none)) {
        assertEquals(101, socket.status());
        socket.text("{\"type\":\"ping\"}");
        assertEquals("{\"type\":\"pong\"}", socket.next(RawSocket.TEXT).text());
      }
    }
  }

  @Test
  void compressionIsOffUnlessConfigured() throws IOException {
    try (RawSocket socket =
        new RawSocket(base, "/ws", "Sec-WebSocket-Extensions: permessage-deflate")) {
      assertEquals(101, socket.status());
      assertEquals("", socket.header("sec-websocket-extensions"));
    }
  }

  @Test
  void badAndBinaryMessagesAreErrorsAndTheConnectionLives() throws IOException {
    try (RawSocket socket = new RawSocket(base, "/ws")) {
      socket.text("{");
      assertTrue(socket.next(RawSocket.TEXT).text().contains("\"code\":\"bad-message\""));
      socket.frame(RawSocket.BINARY, true, new byte[] {1});
      assertTrue(socket.next(RawSocket.TEXT).text().contains("\"code\":\"bad-message\""));
      socket.text("{\"type\":\"ping\"}");
      assertEquals("{\"type\":\"pong\"}", socket.next(RawSocket.TEXT).text());
    }
  }

  @Test
  void aPingFrameIsAnsweredAlsoBetweenFragments() throws IOException {
    byte[] message = "{\"type\":\"ping\"}".getBytes(StandardCharsets.UTF_8);
    try (RawSocket socket = new RawSocket(base, "/ws")) {
      socket.frame(RawSocket.TEXT, false, Arrays.copyOf(message, 5));
      socket.frame(RawSocket.PING, true, new byte[] {7});
      socket.frame(RawSocket.CONTINUATION, true, Arrays.copyOfRange(message, 5, message.length));
      assertEquals(7, socket.next(RawSocket.PONG).payload()[0]);
      assertEquals("{\"type\":\"pong\"}", socket.next(RawSocket.TEXT).text());
    }
  }

  @Test
  void aMessageAtTheSizeLimitIsReadAndALargerOneClosesWith1009() throws IOException {
    byte[] most = filled(LIMIT, "{\"type\":\"ping\"}");
    try (RawSocket socket = new RawSocket(base, "/ws")) {
      socket.frame(RawSocket.TEXT, true, most);
      assertEquals("{\"type\":\"pong\"}", socket.next(RawSocket.TEXT).text());
      socket.frame(RawSocket.TEXT, true, Arrays.copyOf(most, LIMIT + 1));
      assertTooLarge(socket);
    }
  }

  @Test
  void aMessageThatOutgrowsTheLimitInFragmentsClosesWith1009() throws IOException {
    byte[] half = filled(LIMIT / 2, " ");
    try (RawSocket socket = new RawSocket(base, "/ws")) {
      socket.frame(RawSocket.TEXT, false, half);
      socket.frame(RawSocket.CONTINUATION, false, half);
      socket.frame(RawSocket.CONTINUATION, false, new byte[] {' '});
      assertTooLarge(socket);
    }
  }

  @Test
  void aFrameFarOverTheLimitIsAnsweredThoughItIsNeverHeld() throws IOException {
    try (RawSocket socket = new RawSocket(base, "/ws")) {
      socket.frame(RawSocket.TEXT, true, new byte[8 << 20]);
      assertTooLarge(socket);
      assertTrue(socket.endsInOrder());
    }
  }

  @Test
  void framesAgainstTheRfcCloseWithItsCode() throws IOException {
    try (RawSocket socket = new RawSocket(base, "/ws")) {
      socket.raw((byte) 0x81, (byte) 1, (byte) '1'); // not masked
      assertEquals(1002, socket.next(RawSocket.CLOSE).closeCode());
    }
  }

  @Test
  void twoMegabytesComeAsOneMessage() throws IOException {
    String value = "\"" + "é".repeat(1 << 20) + "\"";
    TestKafka.shared().put("sockets-large", "large", value);
    TestKafka.shared().put("sockets-large", "small", "1");
    StringBuilder all = new StringBuilder();
    try (RawSocket socket = new RawSocket(base, "/ws/sockets-large")) {
      while (!(all.indexOf("large") >= 0 && all.indexOf("small") >= 0)) {
        RawSocket.Frame frame = socket.next(RawSocket.TEXT);
        assertTrue(frame.last());
        all.append(frame.text());
      }
      assertTrue(all.indexOf(value) > 0);
      socket.frame(RawSocket.PING, true, new byte[0]);
      socket.next(RawSocket.PONG);
    }
  }

  @Test
  void aCloseIsAnsweredAndNothingOfConnectionsStays() throws IOException {
    List<RawSocket> sockets = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      RawSocket socket = new RawSocket(base, "/ws/sockets");
      socket.next(RawSocket.TEXT);
      sockets.add(socket);
    }
    assertTrue(connections() >= 20);
    for (int i = 0; i < sockets.size(); i++) {
      if (i % 2 == 0) {
        sockets.get(i).frame(RawSocket.CLOSE, true, new byte[] {0x03, (byte) 0xe8});
        assertEquals(1000, sockets.get(i).next(RawSocket.CLOSE).closeCode());
        assertTrue(sockets.get(i).endsInOrder());
      }
      sockets.get(i).close();
    }
    await().atMost(PATIENCE).untilAsserted(() -> assertEquals(0, connections()));
    await().atMost(PATIENCE).untilAsserted(() -> assertEquals(0, subscriptions()));
  }

  private static double connections() {
    return Metrics.value("tablecast_connections{kind=\"websocket\"");
  }

  private static double subscriptions() {
    return Metrics.value("tablecast_subscriptions{table=\"sockets\"");
  }

  private WsClient connect(String path) {
    return WsClient.connect(base.toString(), path);
  }

  private int upgrade(String path, String... headers) throws IOException {
    try (RawSocket socket = new RawSocket(base, path, headers)) {
      return socket.status();
    }
  }

  private static void assertTooLarge(RawSocket socket) throws IOException {
    RawSocket.Frame close = socket.next(RawSocket.CLOSE);
    assertEquals(1009, close.closeCode());
    assertTrue(close.closeReason().contains("tablecast.limits.message-bytes"), close.closeReason());
  }

  private static byte[] filled(int length, String start) {
    byte[] bytes = Arrays.copyOf(start.getBytes(StandardCharsets.UTF_8), length);
    Arrays.fill(bytes, start.length(), length, (byte) ' ');
    return bytes;
  }
}
