package io.tablecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tablecast.testkit.Message;
import io.tablecast.testkit.PackagedApp;
import io.tablecast.testkit.TableModel;
import io.tablecast.testkit.TestKafka;
import io.tablecast.testkit.WsClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** SIGTERM, to the packaged application. */
class ShutdownIT {
  private static final String TOPIC = "shutdown";
  private static final int CLIENTS = 8;
  private static final Duration DRAIN = Duration.ofSeconds(3);

  private final TestKafka kafka = TestKafka.shared();

  /** A client and what it has made of its messages. */
  private record Follower(WsClient socket, TableModel model) {
    Follower(WsClient socket) {
      this(socket, new TableModel(List.of(), List.of()));
    }

    void apply() {
      for (Message m = socket.poll(Duration.ZERO); m != null; m = socket.poll(Duration.ZERO)) {
        model.apply(m);
      }
    }

    void applyUntilLive() {
      while (!model.live()) {
        model.apply(socket.next());
      }
    }
  }

  @Test
  void clientsAreSentAwayInTurnsAndMissNothingElsewhere() throws Exception {
    kafka.ensureTopic(TOPIC, 2);
    kafka.put(TOPIC, "first", "0");
    AtomicBoolean writing = new AtomicBoolean(true);
    try (PackagedApp leaving = start();
        PackagedApp staying = start()) {
      leaving.awaitReady();
      staying.awaitReady();
      CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> write(writing));
      List<Follower> followers = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Follower follower =
            new Follower(WsClient.connect(leaving.base(), "/ws/" + TOPIC + "?meta=true"));
        follower.applyUntilLive();
        followers.add(follower);
      }
      CompletableFuture<Long> eventStream = readEventsToTheEnd(leaving);

      long asked = System.nanoTime();
      leaving.terminate();
      Awaitility.await()
          .pollInterval(Duration.ofMillis(20))
          .until(() -> leaving.status("/q/health/ready") == 503);
      assertTrue(
          System.nanoTime() - asked < DRAIN.toNanos() * 2 / 3,
          "readiness went down only when the drain was nearly over");
      assertRefused(leaving);

      List<Follower> resumed = new ArrayList<>();
      for (Follower follower : followers) {
        assertEquals(1001, follower.socket().closeCode());
        follower.apply();
        follower.model().disconnected();
        resumed.add(resume(follower.model(), staying));
      }
      long took = System.nanoTime() - asked;
      assertTrue(took > DRAIN.toNanos() / 2, "all were closed within " + took / 1_000_000 + " ms");
      assertTrue(eventStream.get(10, TimeUnit.SECONDS) > 0);
      assertTrue(Set.of(0, 143).contains(leaving.exitCode()), leaving.log());

      writing.set(false);
      writer.get(10, TimeUnit.SECONDS);
      Map<Bytes, Bytes> expected = kafka.fold(TOPIC);
      for (Follower follower : resumed) {
        Awaitility.await()
            .untilAsserted(
                () -> {
                  follower.apply();
                  assertEquals(expected, follower.model().map());
                });
        assertEquals(List.of(), follower.model().breaches());
        follower.socket().close();
      }
    }
  }

  @Test
  void withoutClientsItEndsWithoutWaitingForTheDrain() {
    kafka.ensureTopic(TOPIC, 2);
    try (PackagedApp app = start("tablecast.shutdown.drain", "10m")) {
      app.awaitReady();
      app.terminate();
      assertTrue(Set.of(0, 143).contains(app.exitCode()), app.log());
    }
  }

  private Follower resume(TableModel model, PackagedApp app) {
    String path = "/ws/" + TOPIC + "?meta=true&resume=" + model.token();
    Follower follower = new Follower(WsClient.connect(app.base(), path), model);
    Message subscribed = follower.socket().next("subscribed");
    assertEquals("resume", subscribed.json().path("mode").asText());
    model.apply(subscribed);
    return follower;
  }

  private static void assertRefused(PackagedApp app) {
    CompletionException refused = assertThrows(CompletionException.class, () -> handshake(app));
    var response = ((WebSocketHandshakeException) refused.getCause()).getResponse();
    assertEquals(503, response.statusCode());
    assertTrue(response.headers().firstValue("Retry-After").isPresent());
    assertEquals(503, app.status("/tables/" + TOPIC + "/stream"));
  }

  private static void handshake(PackagedApp app) {
    URI uri = URI.create(app.base().replaceFirst("^http", "ws") + "/ws/" + TOPIC);
    HttpClient.newHttpClient()
        .newWebSocketBuilder()
        .buildAsync(uri, new WebSocket.Listener() {})
        .orTimeout(20, TimeUnit.SECONDS)
        .join()
        .abort();
  }

  /** How many lines came until the stream ended in order; a stream that is cut fails. */
  private static CompletableFuture<Long> readEventsToTheEnd(PackagedApp app)
      throws ExecutionException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(app.base() + "/tables/" + TOPIC + "/stream")).build();
    Stream<String> lines =
        HttpClient.newHttpClient().sendAsync(request, BodyHandlers.ofLines()).get().body();
    return CompletableFuture.supplyAsync(lines::count);
  }

  private void write(AtomicBoolean writing) {
    for (int i = 0; writing.get(); i++) {
      if (i % 7 == 6) {
        kafka.tombstone(TOPIC, "key-" + i % 100);
      } else {
        kafka.put(TOPIC, "key-" + i % 100, Integer.toString(i));
      }
    }
  }

  private PackagedApp start(String... more) {
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "kafka.bootstrap.servers",
                kafka.bootstrap(),
                "tablecast.topics",
                TOPIC,
                "tablecast.shutdown.drain",
                DRAIN.toSeconds() + "s"));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return PackagedApp.start(settings);
  }
}
