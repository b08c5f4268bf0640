package io.tablecast.load;

import io.tablecast.testkit.EmbeddedBroker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that is measured.
 *
 * @param readySeconds from the start of its process until it was ready
 */
record Subject(String name, Child process, int port, double readySeconds) implements AutoCloseable {
  private static final String READS = "reads its topic";
  private static final String READY = "has caught up";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** The packaged service. */
  static Subject tablecast(String bootstrap) {
    int port = EmbeddedBroker.freePort();
    Map<String, String> environment = new HashMap<>();
    environment.put("KAFKA_BOOTSTRAP_SERVERS", bootstrap);
    environment.put("TABLECAST_TOPICS", Data.TOPIC);
    environment.put("TABLECAST_LIMITS_CONNECTIONS", "20000");
    environment.put("QUARKUS_HTTP_PORT", Integer.toString(port));
    environment.put("QUARKUS_HTTP_HOST", "127.0.0.1");
    String binary = System.getProperty("load.native", "");
    Child process =
        binary.isEmpty()
            ? Child.jar("tablecast", Settings.jvm(), Child.application(), environment)
            : Child.executable("tablecast", binary, Settings.jvm(), environment);
    process.logOutput(READS, READY);
    awaitReady(process, port);
    return new Subject("tablecast", process, port, since(process));
  }

  /** From when it knew how much there is to read until it had read that, in seconds. */
  double readingSeconds() {
    return (process.seen(READY) - process.seen(READS)) / 1e9;
  }

  private static double since(Child process) {
    return (System.nanoTime() - process.startedAt()) / 1e9;
  }

  private static void awaitReady(Child process, int port) {
    HttpRequest ready =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/q/health/ready")).build();
    while (process.isAlive()) {
      try {
        if (HTTP.send(ready, BodyHandlers.discarding()).statusCode() == 200) {
          return;
        }
      } catch (IOException e) {
        // Not listening yet: that is what is being waited for.
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      LockSupport.parkNanos(50_000_000);
    }
    throw new IllegalStateException("the service has ended: see target/load/tablecast-out.log");
  }

  /** Frames encoded once, one write per client and poll. */
  static Subject nettyLimit(String bootstrap) {
    return baseline("netty-limit", NettyLimit.class, bootstrap);
  }

  /** One text message per change and client. */
  static Subject perChange(String bootstrap) {
    return baseline("per-change", PerChange.class, bootstrap);
  }

  private static Subject baseline(String name, Class<?> main, String bootstrap) {
    Child process = Child.main(main, List.of(), bootstrap);
    int port = Integer.parseInt(process.await("READY"));
    return new Subject(name, process, port, since(process));
  }

  boolean isTablecast() {
    return name.equals("tablecast");
  }

  /** The value of a metric, summed over its labels. */
  double metric(String metric) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/q/metrics")).build();
    try {
      return HTTP.send(request, BodyHandlers.ofString())
          .body()
          .lines()
          .filter(l -> l.startsWith(metric + "{") || l.startsWith(metric + " "))
          .mapToDouble(l -> Double.parseDouble(l.substring(l.lastIndexOf(' ') + 1)))
          .sum();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
