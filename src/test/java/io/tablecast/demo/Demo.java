package io.tablecast.demo;

import io.tablecast.testkit.EmbeddedBroker;
import io.tablecast.testkit.TestKafka;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Starts a Kafka broker in this process, three compacted topics, a feed for them, and the packaged
 * application in a process of its own. Ends with Ctrl-C, or when the application ends.
 */
public final class Demo {
  private static final Duration START_LIMIT = Duration.ofSeconds(90);

  private final TestKafka kafka;
  private final ShopFeed feed = new ShopFeed(Long.getLong("tablecast.demo.seed", 2026));
  private final int port = Integer.getInteger("tablecast.demo.port", 8080);

  private Demo(TestKafka kafka) {
    this.kafka = kafka;
  }

  /** Takes the application's jar from the property {@code tablecast.demo.app}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.out.println("Starting a Kafka broker ...");
    EmbeddedBroker broker = EmbeddedBroker.launch(kafkaPort(), Map.of());
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    int status = 1;
    try {
      Demo demo = new Demo(broker.kafka());
      demo.createTopics();
      demo.kafka.sendAll(demo.feed.opening());
      Process app = demo.startApplication();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(app, clock, broker), "end"));
      if (demo.awaitReady(app)) {
        demo.say();
        demo.play(clock);
      }
      status = app.waitFor();
    } finally {
      // The hook does the rest; it does not run by itself while the broker's threads live.
      System.exit(status);
    }
  }

  private void createTopics() {
    // As in production: a topic is compacted when a fifth of it is superseded, in segments of an
    // hour,
    // and remembers deletions for a day.
    Map<String, String> busy =
        Map.of(
            "cleanup.policy", "compact",
            "min.cleanable.dirty.ratio", "0.2",
            "segment.ms", "3600000",
            "delete.retention.ms", "86400000");
    Map<String, String> rare =
        Map.of(
            "cleanup.policy", "compact",
            "min.cleanable.dirty.ratio", "0.5",
            "segment.ms", "86400000",
            "delete.retention.ms", "604800000");
    kafka.createTopic(ShopFeed.PROFILES, 3, busy);
    kafka.createTopic(ShopFeed.PRICES, 3, busy);
    kafka.createTopic(ShopFeed.CONFIG, 1, rare);
  }

  private Process startApplication() throws IOException {
    String jar = System.getProperty("tablecast.demo.app", "target/quarkus-app/quarkus-run.jar");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder command =
        new ProcessBuilder(
            java,
            // Not a line for each of our questions whether it is ready.
            "-Dquarkus.log.category.\"io.smallrye.health\".level=WARN",
            "-jar",
            new File(jar).getAbsolutePath());
    command.environment().put("KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrap());
    command
        .environment()
        .put(
            "TABLECAST_TOPICS",
            String.join(",", ShopFeed.PROFILES, ShopFeed.PRICES, ShopFeed.CONFIG));
    command.environment().put("QUARKUS_HTTP_PORT", Integer.toString(port));
    return command.inheritIO().start();
  }

  /** Whether the application became ready; false when it ended or took too long. */
  private boolean awaitReady(Process app) throws InterruptedException {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest ready =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/q/health/ready"))
            .timeout(Duration.ofSeconds(2))
            .build();
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (System.nanoTime() < end) {
      if (app.waitFor(300, TimeUnit.MILLISECONDS)) {
        return false;
      }
      try {
        if (client.send(ready, BodyHandlers.discarding()).statusCode() == 200) {
          return true;
        }
      } catch (IOException e) {
        // Not listening yet: that is what is being waited for.
        continue;
      }
    }
    System.err.println("The application was not ready within " + START_LIMIT.toSeconds() + " s.");
    app.destroy();
    return false;
  }

  private void play(ScheduledExecutorService clock) {
    every(clock, 250, feed::price);
    every(clock, 1_000, feed::visit);
    every(clock, 20_000, feed::knob);
  }

  private void every(
      ScheduledExecutorService clock, long millis, Supplier<ProducerRecord<byte[], byte[]>> next) {
    clock.scheduleAtFixedRate(
        () -> {
          try {
            kafka.send(next.get());
          } catch (RuntimeException e) {
            if (!clock.isShutdown()) {
              System.err.println("The feed could not write: " + e);
            }
          }
        },
        millis,
        millis,
        TimeUnit.MILLISECONDS);
  }

  private void say() {
    System.out.printf(
        """

        Three tables are served; product-prices changes four times a second. Try:

          npx wscat -c ws://localhost:%1$d/ws/product-prices
          npx wscat -c 'ws://localhost:%1$d/ws/product-prices?key=sku:1001&meta=true'
          curl http://localhost:%1$d/tables
          curl http://localhost:%1$d/tables/product-prices/entries/sku:1001
          curl -H 'Accept: application/x-ndjson' http://localhost:%1$d/tables/user-profiles/entries
          curl http://localhost:%1$d/q/health/ready

        Kafka listens on %2$s. Ctrl-C stops everything.

        """,
        port, kafka.bootstrap());
  }

  private static void end(Process app, ScheduledExecutorService clock, EmbeddedBroker broker) {
    clock.shutdownNow();
    app.destroy();
    try {
      if (!app.waitFor(15, TimeUnit.SECONDS)) {
        app.destroyForcibly();
      }
    } catch (InterruptedException e) {
      app.destroyForcibly();
    }
    broker.close();
  }

  /** Kafka's usual port when it is free, for the tools at hand. */
  private static int kafkaPort() throws IOException {
    try (ServerSocket usual = new ServerSocket(9092, 1, InetAddress.getLoopbackAddress())) {
      return usual.getLocalPort();
    } catch (BindException e) {
      return EmbeddedBroker.freePort();
    }
  }
}
