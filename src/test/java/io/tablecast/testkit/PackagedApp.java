package io.tablecast.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * The packaged application, jar or native binary, whichever was built last, in a process of its
 * own. Several may run at a time. Any thread.
 */
public final class PackagedApp implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Path TARGET = Path.of("target");

  private final Process process;
  private final int port;
  private final Path log;

  private PackagedApp(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /** Starts it with these settings, on a free port. */
  public static PackagedApp start(Map<String, String> settings) {
    int port = EmbeddedBroker.freePort();
    List<String> properties = new ArrayList<>();
    properties.add("-Dquarkus.http.port=" + port);
    settings.forEach((name, value) -> properties.add("-D" + name + "=" + value));
    try {
      Path log = Files.createTempFile("tablecast-app", ".log");
      Process process =
          new ProcessBuilder(command(properties))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      return new PackagedApp(process, port, log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> command(List<String> properties) throws IOException {
    Properties artifact = new Properties();
    try (var in = Files.newBufferedReader(TARGET.resolve("quarkus-artifact.properties"))) {
      artifact.load(in);
    }
    String path = TARGET.resolve(artifact.getProperty("path")).toString();
    List<String> command = new ArrayList<>();
    if (artifact.getProperty("type").equals("native")) {
      command.add(path);
      command.addAll(properties);
    } else {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(properties);
      command.addAll(List.of("-jar", path));
    }
    return command;
  }

  /** Where it listens, without TLS. */
  public String base() {
    return "http://localhost:" + port;
  }

  /** The status that a GET of this path brings; 0 when nobody listens. */
  public int status(String path) {
    try {
      return get(path).statusCode();
    } catch (IOException e) {
      return 0;
    }
  }

  /** What a GET of this path brings. */
  public String body(String path) {
    try {
      return get(path).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpResponse<String> get(String path) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base() + path)).timeout(Duration.ofSeconds(10)).build();
    try {
      return HTTP.send(request, BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Waits until it is ready. */
  public PackagedApp awaitReady() {
    Awaitility.await("ready: " + log)
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              if (!process.isAlive()) {
                throw new AssertionError("ended with " + process.exitValue() + ":\n" + log());
              }
              return status("/q/health/ready") == 200;
            });
    return this;
  }

  /** What it has written so far. */
  public String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends SIGTERM. */
  public void terminate() {
    process.destroy();
  }

  /** The exit code, waited for. */
  public int exitCode() {
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        throw new AssertionError("still runs:\n" + log());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      Files.deleteIfExists(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
