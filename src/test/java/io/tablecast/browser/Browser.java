package io.tablecast.browser;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Chromium of its own, without a window, that shows one page until it is closed. One thread. */
final class Browser implements AutoCloseable {
  private static final List<String> NAMES = List.of("chromium", "chromium-browser");

  private static final List<String> OPTIONS =
      List.of(
          "--headless",
          // Build servers run as root, in containers: there Chromium's sandbox doesn't start.
          "--no-sandbox",
          "--disable-gpu",
          // Containers give 64 MB of /dev/shm.
          "--disable-dev-shm-usage",
          "--disable-quic",
          "--no-proxy-server",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  private final Process process;
  private final Path log;

  private Browser(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** The Chromium on the {@code PATH}. */
  static Optional<Path> installed() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Opens a page. The profile and what Chromium says stay in {@code target/browser}. */
  static Browser open(String url) throws IOException {
    Path directory = Files.createDirectories(Path.of("target", "browser").toAbsolutePath());
    Path profile = Files.createTempDirectory(directory, "profile");
    Path log = profile.resolveSibling(profile.getFileName() + ".log");
    List<String> command = new ArrayList<>();
    command.add(installed().orElseThrow().toString());
    command.addAll(OPTIONS);
    command.add("--user-data-dir=" + profile);
    command.add(url);
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    return new Browser(process, log);
  }

  /** Whether it is there, and where it says what ails it: for reports of failures. */
  @Override
  public String toString() {
    return "Chromium, " + (process.isAlive() ? "running" : "ended") + ", see " + log;
  }

  /** Ends it and the processes that it has started. */
  @Override
  public void close() throws IOException {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    children.forEach(ProcessHandle::destroyForcibly);
  }
}
