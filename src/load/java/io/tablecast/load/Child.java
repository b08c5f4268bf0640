package io.tablecast.load;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A process that is measured or helps to measure. One thread. */
final class Child implements AutoCloseable {
  private static final double TICKS_PER_SECOND = 100; // USER_HZ, which Linux fixes for user space

  private final String name;
  private final Process process;
  private final BufferedReader out;
  private final Writer in;
  private final long startedAt;
  private final Map<String, Long> seen = new ConcurrentHashMap<>();

  private Child(String name, List<String> command, Map<String, String> environment) {
    this.name = name;
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectError(logFile(name).toFile());
    startedAt = System.nanoTime();
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "end-" + name));
    out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    in = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
  }

  /** A main class of the load harness, on its class path. */
  static Child main(Class<?> main, List<String> jvm, String... args) {
    List<String> command = java(jvm);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    return new Child(main.getSimpleName(), command, Map.of());
  }

  /** A jar; what it says goes to its log file. */
  static Child jar(String name, List<String> jvm, String jar, Map<String, String> environment) {
    List<String> command = java(jvm);
    command.addAll(List.of("-jar", jar));
    return new Child(name, command, environment);
  }

  /** A native executable. */
  static Child executable(
      String name, String file, List<String> arguments, Map<String, String> environment) {
    List<String> command = new ArrayList<>(List.of(file));
    command.addAll(arguments);
    return new Child(name, command, environment);
  }

  private static List<String> java(List<String> jvm) {
    List<String> command = new ArrayList<>();
    command.add(tool("java"));
    command.add("-Djava.util.logging.manager=org.jboss.logmanager.LogManager");
    command.addAll(jvm);
    return command;
  }

  private static String tool(String tool) {
    return Path.of(System.getProperty("java.home"), "bin", tool).toString();
  }

  private static Path logFile(String name) {
    try {
      return Files.createDirectories(Path.of("target", "load")).resolve(name + ".log");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** When it was started, by {@link System#nanoTime}. */
  long startedAt() {
    return startedAt;
  }

  /** Sends a line. */
  void tell(String line) {
    try {
      in.write(line + "\n");
      in.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " has ended: see target/load/" + name + ".log", e);
    }
  }

  /** Waits for the next line that starts with this word, and returns what follows it. */
  String await(String word) {
    try {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.equals(word) || line.startsWith(word + " ")) {
          return line.substring(word.length()).trim();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException(name + " has ended: see target/load/" + name + ".log");
  }

  /**
   * Puts the output into a log file, and notes when a line says one of these for the first time.
   */
  void logOutput(String... marks) {
    Thread reader =
        new Thread(
            () -> {
              try (Writer log = Files.newBufferedWriter(logFile(name + "-out"))) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                  note(line, marks);
                  log.write(line + "\n");
                }
              } catch (IOException e) {
                // Closed from our side: the process is no longer of interest.
                return;
              }
            },
            "read-" + name);
    reader.setDaemon(true);
    reader.start();
  }

  private void note(String line, String... marks) {
    for (String mark : marks) {
      if (line.contains(mark)) {
        seen.putIfAbsent(mark, System.nanoTime());
      }
    }
  }

  /** When a line said this, by {@link System#nanoTime}; must have been asked for, and seen. */
  long seen(String mark) {
    Long at = seen.get(mark);
    if (at == null) {
      throw new IllegalStateException(name + " has not said: " + mark);
    }
    return at;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** CPU seconds used so far, in user and system mode. */
  double cpuSeconds() {
    String stat = read("stat");
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  /** Resident memory in bytes. */
  long rss() {
    return status("VmRSS");
  }

  /** The most that was ever resident, in bytes. */
  long peakRss() {
    return status("VmHWM");
  }

  private long status(String field) {
    return read("status")
        .lines()
        .filter(l -> l.startsWith(field + ":"))
        .mapToLong(l -> Long.parseLong(l.replaceAll("[^0-9]", "")) << 10)
        .findFirst()
        .orElseThrow();
  }

  private String read(String file) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
    } catch (IOException e) {
      throw new UncheckedIOException(name + " has ended: see target/load/" + name + ".log", e);
    }
  }

  /** Bytes of live objects, after a full collection. */
  long liveHeap() {
    String total =
        jcmd("GC.class_histogram")
            .lines()
            .filter(l -> l.startsWith("Total"))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(total.trim().split("\\s+")[2]);
  }

  /** What a diagnostic command of the JVM says. */
  String jcmd(String... command) {
    List<String> line = new ArrayList<>(List.of(tool("jcmd"), Long.toString(process.pid())));
    line.addAll(List.of(command));
    try {
      Process jcmd = new ProcessBuilder(line).redirectErrorStream(true).start();
      return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(15, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** The application's jar. */
  static String application() {
    return new File(System.getProperty("load.app", "target/quarkus-app/quarkus-run.jar"))
        .getAbsolutePath();
  }
}
