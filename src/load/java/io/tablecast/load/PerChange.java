package io.tablecast.load;

import io.tablecast.testkit.EmbeddedBroker;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * What is usually written: one text message for each change and client, here with plain Vert.x, on
 * which websockets-next sits. The text is rendered once for all clients. At most so many changes
 * are on their way at a time; then reading waits.
 */
final class PerChange {
  private static final int IN_FLIGHT = 32;
  private static final List<Server> SERVERS = new CopyOnWriteArrayList<>();

  private PerChange() {}

  public static void main(String[] args) throws InterruptedException {
    Vertx vertx = Vertx.vertx();
    int port = EmbeddedBroker.freePort(); // the loops share it, so it can't be left to the system
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      vertx
          .deployVerticle(new Server(port), new DeploymentOptions())
          .toCompletionStage()
          .toCompletableFuture()
          .join();
    }
    KafkaConsumer<byte[], byte[]> consumer = Polling.open(args[0], Data.TOPIC, false);
    System.out.println("READY " + port);
    Semaphore window = new Semaphore(IN_FLIGHT);
    while (true) {
      for (ConsumerRecord<byte[], byte[]> r : consumer.poll(Duration.ofMillis(100))) {
        String text =
            "{\"type\":\"changes\",\"id\":\"load\",\"changes\":[{\"op\":\"put\",\"key\":\""
                + new String(r.key(), StandardCharsets.UTF_8)
                + "\",\"value\":"
                + new String(r.value(), StandardCharsets.UTF_8)
                + "}]}";
        window.acquire();
        AtomicInteger left = new AtomicInteger(SERVERS.size());
        SERVERS.forEach(
            s ->
                s.send(
                    text,
                    () -> {
                      if (left.decrementAndGet() == 0) {
                        window.release();
                      }
                    }));
      }
    }
  }

  /** One event loop's clients. */
  private static final class Server extends AbstractVerticle {
    private final Set<ServerWebSocket> clients = new LinkedHashSet<>();
    private final int port;

    Server(int port) {
      this.port = port;
    }

    @Override
    public void start(Promise<Void> started) {
      vertx
          .createHttpServer(
              new HttpServerOptions()
                  .setPerMessageWebSocketCompressionSupported(false)
                  .setPerFrameWebSocketCompressionSupported(false))
          .webSocketHandler(
              ws -> {
                clients.add(ws);
                ws.closeHandler(nothing -> clients.remove(ws));
              })
          .listen(port, "127.0.0.1")
          .onSuccess(
              s -> {
                SERVERS.add(this);
                started.complete();
              })
          .onFailure(started::fail);
    }

    /** Runs the callback when every client's socket has taken the text. */
    void send(String text, Runnable taken) {
      Context own = context;
      own.runOnContext(
          nothing -> {
            int[] left = {clients.size()};
            if (left[0] == 0) {
              taken.run();
            }
            for (ServerWebSocket c : clients) {
              c.writeTextMessage(text)
                  .onComplete(
                      done -> {
                        if (--left[0] == 0) {
                          taken.run();
                        }
                      });
            }
          });
    }
  }
}
