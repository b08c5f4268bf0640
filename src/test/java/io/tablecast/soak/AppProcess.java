package io.tablecast.soak;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** The packaged application as a child process that can be stopped, killed and started again. */
final class AppProcess implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration START = Duration.ofSeconds(120);

  private final String name;
  private final int port;
  private final Map<String, String> settings;
  private final File log;
  private @Nullable Process process;

  AppProcess(String name, int port, Map<String, String> settings) {
    this.name = name;
    this.port = port;
    this.settings = Map.copyOf(settings);
    Path directory = Path.of("target", "soak");
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    log = directory.resolve(name + ".log").toFile();
  }

  String base() {
    return "http://localhost:" + port;
  }

  /** Starts the process and does not wait. */
  synchronized void start() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-ea", "-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Dquarkus.http.port=" + port);
    settings.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.add("-jar");
    command.add(System.getProperty("test.app", "target/quarkus-app/quarkus-run.jar"));
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it says that it is ready. */
  void awaitReady() {
    Awaitility.await(name + " is ready")
        .atMost(START)
        .until(() -> status("/q/health/ready") == 200);
  }

  /** Waits until it listens. */
  void awaitUp() {
    Awaitility.await(name + " is up").atMost(START).until(() -> status("/q/health/live") == 200);
  }

  /** The status of the answer; 0 when there is none. */
  int status(String path) {
    HttpResponse<String> response = get(path);
    return response == null ? 0 : response.statusCode();
  }

  /** The body of the answer; empty when there is none. */
  String body(String path) {
    HttpResponse<String> response = get(path);
    return response == null ? "" : response.body();
  }

  private @Nullable HttpResponse<String> get(String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base() + path)).timeout(Duration.ofSeconds(5)).build();
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      return null; // it is down, or frozen: what the caller asks about
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** SIGTERM, and waits for the end. */
  void terminate() {
    end(Process::destroy);
  }

  /** SIGKILL, and waits for the end. */
  void kill() {
    end(Process::destroyForcibly);
  }

  /** SIGSTOP, or SIGCONT. */
  void freeze(boolean freeze) {
    signal(freeze ? "-STOP" : "-CONT");
  }

  /** SIGQUIT: the virtual machine writes what its threads are doing into the log. */
  void logThreads() {
    signal("-QUIT");
  }

  private synchronized void signal(String signal) {
    Process running = process;
    if (running != null) {
      try {
        new ProcessBuilder("kill", signal, Long.toString(running.pid())).start().waitFor();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  private synchronized void end(java.util.function.Consumer<Process> how) {
    Process running = process;
    if (running == null) {
      return;
    }
    how.accept(running);
    try {
      if (!running.waitFor(60, TimeUnit.SECONDS)) {
        running.destroyForcibly().waitFor();
        throw new AssertionError(name + " did not end within a minute");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    process = null;
  }

  @Override
  public void close() {
    kill();
  }

  @Override
  public String toString() {
    return name;
  }
}
