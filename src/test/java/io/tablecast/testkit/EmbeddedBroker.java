package io.tablecast.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * A real Kafka broker (KRaft, broker and controller in one) in this JVM, on ports that stay the
 * same over restarts. Its data lies in a temporary directory that goes with {@link #close}. Methods
 * may be called from any thread.
 */
public final class EmbeddedBroker implements AutoCloseable {
  // Held here, since the log manager holds loggers weakly.
  private static final List<Logger> QUIET =
      Stream.of("kafka", "org.apache.kafka", "state.change.logger").map(Logger::getLogger).toList();

  private static @Nullable EmbeddedBroker shared;

  static {
    QUIET.forEach(logger -> logger.setLevel(Level.SEVERE));
  }

  private final Path directory;
  private final int port;
  private final Map<String, String> settings;
  private @Nullable KafkaRaftServer server;

  private EmbeddedBroker(Path directory, int port, Map<String, String> settings) {
    this.directory = directory;
    this.port = port;
    this.settings = settings;
  }

  /** Starts a broker on free ports with an empty log. */
  public static EmbeddedBroker launch() {
    return launch(freePort(), Map.of());
  }

  /**
   * Starts a broker with an empty log.
   *
   * @param port where it listens, on the loopback address
   * @param overrides broker settings that win over those for fast tests
   */
  public static EmbeddedBroker launch(int port, Map<String, String> overrides) {
    EmbeddedBroker broker = prepare(port, Uuid.randomUuid(), overrides);
    broker.start();
    return broker;
  }

  /** One that does not run yet, of this cluster. An override that is empty removes a setting. */
  static EmbeddedBroker prepare(int port, Uuid cluster, Map<String, String> overrides) {
    try {
      Path directory = Files.createTempDirectory("tablecast-kafka");
      Map<String, String> settings = new HashMap<>(settings(directory, port, freePort()));
      settings.putAll(overrides);
      settings.values().removeIf(String::isEmpty);
      EmbeddedBroker broker = new EmbeddedBroker(directory, port, settings);
      broker.format(cluster);
      return broker;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A port of the loopback address that was free a moment ago. */
  public static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The broker that all tests of this JVM share, started at the first call, as types that every
   * class loader has in common. Tests use {@link TestKafka#shared()}.
   */
  public static synchronized Map<String, Object> sharedHandle() {
    EmbeddedBroker broker = shared;
    if (broker == null) {
      broker = launch();
      shared = broker;
      Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "stop-shared-broker"));
    }
    Runnable start = broker::start;
    Runnable stop = broker::stop;
    return Map.of("bootstrap", broker.bootstrap(), "start", start, "stop", stop);
  }

  /** What goes into {@code kafka.bootstrap.servers}. */
  public String bootstrap() {
    return "localhost:" + port;
  }

  /** Helpers that write to this broker. */
  public TestKafka kafka() {
    return new TestKafka(bootstrap(), this::start, this::stop);
  }

  /**
   * Starts the broker again after {@link #stop}, on the same port and log. Does nothing while it
   * runs.
   */
  public synchronized void start() {
    if (server == null) {
      // Kafka loads some classes by name through the context class loader, which in a test may be
      // an application's.
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(EmbeddedBroker.class.getClassLoader());
      try {
        KafkaRaftServer starting =
            new KafkaRaftServer(new KafkaConfig(settings, false), Time.SYSTEM);
        starting.startup();
        server = starting;
      } finally {
        thread.setContextClassLoader(before);
      }
    }
  }

  /** Stops the broker, in good order; its log stays. Does nothing while it is stopped. */
  public synchronized void stop() {
    KafkaRaftServer running = server;
    if (running != null) {
      running.shutdown();
      running.awaitShutdown();
      server = null;
    }
  }

  /** Stops the broker and deletes its log. */
  @Override
  public synchronized void close() {
    TestKafka.closeProducer(bootstrap());
    stop();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void format(Uuid cluster) throws IOException {
    Properties properties = new Properties();
    properties.putAll(settings);
    Path file = directory.resolve("server.properties");
    try (var out = Files.newBufferedWriter(file)) {
      properties.store(out, null);
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    String[] command = {"format", "-t", cluster.toString(), "-c", file.toString()};
    int status = StorageTool.execute(command, new PrintStream(said, true, StandardCharsets.UTF_8));
    if (status != 0) {
      throw new IllegalStateException("storage format: " + said.toString(StandardCharsets.UTF_8));
    }
  }

  private static Map<String, String> settings(Path directory, int port, int controllerPort) {
    Map<String, String> s = new HashMap<>();
    s.put("process.roles", "broker,controller");
    s.put("node.id", "1");
    s.put("controller.quorum.voters", "1@localhost:" + controllerPort);
    s.put("controller.listener.names", "CONTROLLER");
    s.put(
        "listeners", "PLAINTEXT://localhost:" + port + ",CONTROLLER://localhost:" + controllerPort);
    s.put("advertised.listeners", "PLAINTEXT://localhost:" + port);
    s.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    s.put("log.dirs", directory.resolve("log").toString());
    s.put("auto.create.topics.enable", "false");
    s.put("message.max.bytes", "10485760");
    s.put("group.initial.rebalance.delay.ms", "0");
    for (String topic :
        List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
      s.put(topic + ".num.partitions", "1");
      s.put(topic + ".replication.factor", "1");
    }
    s.put("transaction.state.log.min.isr", "1");
    s.put("share.coordinator.state.topic.min.isr", "1");
    s.put("min.insync.replicas", "1");
    // Compaction and deletion of old segments within a second or two.
    s.put("log.cleaner.backoff.ms", "100");
    s.put("log.cleaner.dedupe.buffer.size", "4194304");
    s.put("log.cleaner.min.cleanable.ratio", "0.01");
    s.put("log.retention.check.interval.ms", "300");
    s.put("log.initial.task.delay.ms", "300");
    s.put("log.segment.delete.delay.ms", "100");
    s.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
    return s;
  }
}
