package io.tablecast.socket;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.tablecast.testkit.KafkaTables;
import io.tablecast.testkit.TestKafka;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(
    value = KafkaTables.class,
    initArgs = {
      @ResourceArg(name = "topics", value = "socket-limits"),
      @ResourceArg(name = "tablecast.limits.connections", value = "3"),
      @ResourceArg(name = "tablecast.limits.messages-per-second", value = "10"),
      @ResourceArg(name = "tablecast.limits.bad-messages", value = "3"),
      @ResourceArg(name = "tablecast.limits.stalled-after", value = "1s"),
      @ResourceArg(
          name = "quarkus.websockets-next.server.per-message-compression-supported",
          value = "true")
    })
class SocketLimitsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final byte[] DEFLATE_TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

  @TestHTTPResource URI base;

  @BeforeEach
  void nobodyIsConnected() {
    await().atMost(PATIENCE).untilAsserted(() -> assertEquals(0, connections()));
  }

  @Test
  void oneConnectionTooManyIsRefusedUntilAnotherGoes() throws IOException {
    List<RawSocket> sockets = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sockets.add(new RawSocket(base, "/ws"));
      assertEquals(101, sockets.get(i).status());
    }
    try (RawSocket refused = new RawSocket(base, "/ws")) {
      assertEquals(503, refused.status());
      assertFalse(refused.header("retry-after").isEmpty());
    }
    RestAssured.get("/tables/socket-limits/stream")
        .then()
        .statusCode(503)
        .contentType("application/problem+json");
    sockets.get(0).close();
    await().atMost(PATIENCE).untilAsserted(() -> assertEquals(2, connections()));
    try (RawSocket next = new RawSocket(base, "/ws")) {
      assertEquals(101, next.status());
    }
    for (RawSocket socket : sockets) {
      socket.close();
    }
  }

  @Test
  void moreMessagesThanTheRateCloseWith1008() throws IOException {
    try (RawSocket socket = new RawSocket(base, "/ws")) {
      for (int i = 0; i < 40; i++) {
        socket.text("{\"type\":\"ping\"}");
      }
      assertClosed(socket, 1008, "tablecast.limits.messages-per-second");
    }
  }

  @Test
  void pingFramesCountAsMessagesSinceTheirAnswersCostAsMuch() throws IOException {
    try (RawSocket socket = new RawSocket(base, "/ws")) {
      for (int i = 0; i < 40; i++) {
        socket.frame(RawSocket.PING, true, new byte[0]);
      }
      assertClosed(socket, 1008, "tablecast.limits.messages-per-second");
    }
  }

  @Test
  void moreRefusedMessagesThanAllowedCloseWith1008() throws IOException {
    try (RawSocket socket = new RawSocket(base, "/ws")) {
      for (int i = 0; i < 3; i++) {
        socket.text("{}");
        assertTrue(socket.next(RawSocket.TEXT).text().contains("bad-message"));
      }
      socket.text("{\"type\":\"unsubscribe\",\"id\":\"x\"}");
      assertClosed(socket, 1008, "tablecast.limits.bad-messages");
    }
  }

  @Test
  void aClientThatDoesNotAnswerPingsIsClosedWith4408() throws IOException {
    try (RawSocket socket = new RawSocket(base, "/ws")) {
      assertClosed(socket, 4408, "tablecast.limits.stalled-after");
    }
  }

  @Test
  void aClientThatAnswersPingsStays() throws IOException {
    try (RawSocket socket = new RawSocket(base, "/ws")) {
      for (int i = 0; i < 5; i++) {
        socket.frame(RawSocket.PONG, true, socket.next(RawSocket.PING).payload());
      }
      socket.text("{\"type\":\"ping\"}");
      assertEquals("{\"type\":\"pong\"}", socket.next(RawSocket.TEXT).text());
    }
  }

  @Test
  void aClientThatDoesNotReadIsCutAndOthersAreServed() throws IOException {
    TestKafka kafka = TestKafka.shared();
    String value = "\"" + "x".repeat(500_000) + "\"";
    for (int i = 0; i < 60; i++) {
      kafka.put("socket-limits", "large" + i, value);
    }
    try (RawSocket stalled = new RawSocket(base, "/ws/socket-limits?prefix=large")) {
      assertEquals(101, stalled.status());
      try (RawSocket other = new RawSocket(base, "/ws/socket-limits?key=small")) {
        kafka.put("socket-limits", "small", "1");
        while (!other.next(RawSocket.TEXT).text().contains("\"small\"")) {
          // subscribed, live
        }
      }
      await().atMost(PATIENCE).untilAsserted(() -> assertEquals(0, connections()));
    }
  }

  @Test
  void compressedMessagesAreInflatedToTheSame() throws IOException, DataFormatException {
    TestKafka.shared().put("socket-limits", "deflate", "\"" + "abc".repeat(1000) + "\"");
    try (RawSocket socket =
        new RawSocket(
            base,
            "/ws/socket-limits?key=deflate",
            "Sec-WebSocket-Extensions: permessage-deflate")) {
      assertTrue(socket.header("sec-websocket-extensions").contains("permessage-deflate"));
      Inflater inflater = new Inflater(true);
      String text = "";
      while (!text.contains("changes")) {
        RawSocket.Frame frame = socket.next(RawSocket.TEXT);
        text = frame.reserved() == 0 ? frame.text() : inflate(inflater, frame.payload());
      }
      inflater.end();
      assertTrue(text.contains("abc".repeat(1000)), text);
    }
  }

  private static String inflate(Inflater inflater, byte[] payload) throws DataFormatException {
    byte[] input = Arrays.copyOf(payload, payload.length + DEFLATE_TAIL.length);
    System.arraycopy(DEFLATE_TAIL, 0, input, payload.length, DEFLATE_TAIL.length);
    inflater.setInput(input);
    byte[] out = new byte[100_000];
    int length = inflater.inflate(out);
    return new String(out, 0, length, StandardCharsets.UTF_8);
  }

  private static double connections() {
    return Metrics.value("tablecast_connections{kind=\"websocket\"");
  }

  private static void assertClosed(RawSocket socket, int code, String setting) throws IOException {
    RawSocket.Frame close = socket.next(RawSocket.CLOSE);
    assertEquals(code, close.closeCode());
    assertTrue(close.closeReason().contains(setting), close.closeReason());
  }
}
