package io.tablecast.soak;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.tablecast.testkit.EmbeddedBroker;
import io.tablecast.testkit.TestKafka;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

/**
 * The model test with real processes: two replicas of the packaged application, a broker, and
 * everything that may happen to them at random. Whenever it becomes quiet every client holds the
 * folded log, byte for byte, and at no time did one see a key go backwards.
 *
 * <p>{@code -Dtablecast.soak=PT30M} runs for longer, {@code -Dtest.seed=…} takes the same decisions
 * again (though not at the same moments). What the replicas say is in {@code target/soak}.
 */
class SoakIT {
  private static final Duration TIME =
      Duration.parse(System.getProperty("tablecast.soak", "PT75S"));
  private static final Duration ROUND = Duration.ofSeconds(12);
  private static final int CLIENTS = 8;

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void everyClientHoldsTheFoldedLogWhateverHappens() throws Exception {
    System.out.println("To repeat: -Dtest.seed=" + seed);
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try (World world = new World(random)) {
      List<Visitor> visitors = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        visitors.add(world.visitor(new Random(seed + 1 + i)));
      }
      long end = System.nanoTime() + TIME.toNanos();
      for (int round = 1; round == 1 || System.nanoTime() < end; round++) {
        try {
          round(world, threads, visitors);
        } catch (AssertionError | RuntimeException e) {
          world.report();
          throw e;
        }
        say("round " + round + " is good: " + world.counts());
      }
      visitors.forEach(Visitor::close);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "-Dtest.seed=" + seed + " at " + Instant.now() + ": " + e.getMessage(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void round(World world, ExecutorService threads, List<Visitor> visitors) {
    AtomicBoolean quiet = new AtomicBoolean();
    List<Future<?>> coming = new ArrayList<>();
    for (Visitor visitor : visitors) {
      coming.add(threads.submit(() -> visitor.comeAndGo(quiet::get)));
    }
    long end = System.nanoTime() + ROUND.toNanos();
    while (System.nanoTime() < end && coming.stream().noneMatch(Future::isDone)) {
      world.act();
    }
    world.calm();
    quiet.set(true);
    coming.forEach(SoakIT::await);
    Map<Topic, Map<Bytes, Bytes>> folds = world.folds();
    List<Future<?>> settling = new ArrayList<>();
    for (Visitor visitor : visitors) {
      settling.add(threads.submit(() -> visitor.settle(visitor.fold(folds))));
    }
    settling.forEach(SoakIT::await);
    world.newcomers(folds);
  }

  private static void await(Future<?> future) {
    try {
      future.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static void say(String what) {
    System.out.println("soak " + Instant.now() + ": " + what);
  }

  /** The broker, the topics, the replicas, and what happens to them. One thread. */
  private static final class World implements AutoCloseable {
    private final Random random;
    private final EmbeddedBroker broker;
    private final TestKafka kafka;
    private final List<Topic> topics = new ArrayList<>();
    private final List<AppProcess> replicas = new ArrayList<>();
    private final Map<String, Integer> counts = new HashMap<>();

    World(Random random) {
      this.random = random;
      broker =
          EmbeddedBroker.launch(EmbeddedBroker.freePort(), Map.of("log.cleaner.backoff.ms", "500"));
      kafka = broker.kafka();
      long deleteRetention = random.nextInt(4) == 0 ? 10_000 : 60_000;
      topics.add(new Topic(kafka, random, "soak.plain", false, deleteRetention));
      topics.add(new Topic(kafka, random, "soak.contested", true, deleteRetention));
      topics.forEach(Topic::produce);
      for (int i = 1; i <= 2; i++) {
        AppProcess replica = new AppProcess("replica-" + i, EmbeddedBroker.freePort(), settings());
        replica.start();
        replicas.add(replica);
      }
      replicas.forEach(AppProcess::awaitReady);
      say("delete.retention.ms is " + deleteRetention);
    }

    private Map<String, String> settings() {
      return Map.of(
          "kafka.bootstrap.servers", broker.bootstrap(),
          "tablecast.topics", "soak.plain,soak.contested",
          "quarkus.log.category.\"io.tablecast\".level", "DEBUG",
          "tablecast.topic-check-interval", "500ms",
          "tablecast.stale-after", "3s",
          "tablecast.bookmark-interval", "1s",
          "tablecast.limits.frame-bytes", "4096",
          "tablecast.limits.stalled-after", "2s",
          "tablecast.shutdown.drain", "500ms");
    }

    Visitor visitor(Random random) {
      return new Visitor(topics.get(random.nextInt(3) / 2), replicas, random);
    }

    void act() {
      Topic topic = topics.get(random.nextInt(3) / 2);
      switch (random.nextInt(60)) {
        case 0 -> did("broker bounce", this::bounceBroker);
        case 1 -> did("recreation", topic::recreate);
        case 2 -> did("growth", topic::grow);
        case 3, 4, 5 -> did("deletion of records", topic::deleteRecords);
        case 6 -> did("graceful restart", () -> restart(AppProcess::terminate));
        case 7 -> did("kill", () -> restart(AppProcess::kill));
        case 8 -> did("freeze", this::freeze);
        case 9, 10 -> did("open transaction", () -> holdTransaction(topic));
        case 11, 12, 13, 14 -> did("transaction", topic::transaction);
        default -> did("produce", topic::produce);
      }
      LockSupport.parkNanos(random.nextInt(60_000_000));
    }

    private void did(String what, Runnable action) {
      counts.merge(what, 1, Integer::sum);
      if (!what.equals("produce") && !what.endsWith("transaction")) {
        say(what);
      }
      action.run();
    }

    Map<String, Integer> counts() {
      return Map.copyOf(counts);
    }

    private void bounceBroker() {
      broker.stop();
      LockSupport.parkNanos(random.nextLong(4_000_000_000L));
      broker.start();
    }

    private void restart(java.util.function.Consumer<AppProcess> how) {
      AppProcess replica = replicas.get(random.nextInt(2));
      how.accept(replica);
      topics.forEach(Topic::produce);
      replica.start();
      if (random.nextBoolean()) {
        replica.awaitUp();
      }
    }

    private void freeze() {
      AppProcess replica = replicas.get(random.nextInt(2));
      replica.freeze(true);
      try {
        long end = System.nanoTime() + random.nextLong(5_000_000_000L);
        while (System.nanoTime() < end) {
          topics.forEach(Topic::produce);
          LockSupport.parkNanos(random.nextInt(200_000_000));
        }
      } finally {
        replica.freeze(false);
      }
    }

    private void holdTransaction(Topic topic) {
      try (TestKafka.OpenTransaction open = topic.openTransaction()) {
        for (int i = random.nextInt(10); i > 0; i--) {
          topic.produce();
          LockSupport.parkNanos(random.nextInt(100_000_000));
        }
        if (random.nextBoolean()) {
          open.commit();
        }
      }
    }

    /** Everything is up, and nothing more happens. */
    void calm() {
      replicas.forEach(AppProcess::awaitReady);
    }

    Map<Topic, Map<Bytes, Bytes>> folds() {
      Map<Topic, Map<Bytes, Bytes>> folds = new HashMap<>();
      topics.forEach(topic -> folds.put(topic, kafka.fold(topic.name())));
      assertFalse(folds.isEmpty());
      return folds;
    }

    /** Who comes now holds the same, at each replica. */
    void newcomers(Map<Topic, Map<Bytes, Bytes>> folds) {
      for (AppProcess replica : replicas) {
        for (Topic topic : topics) {
          try (Visitor visitor = Visitor.ofAll(topic, replica)) {
            visitor.settle(visitor.fold(folds));
          }
        }
      }
    }

    /** Shows what the replicas are doing, for whoever looks for a failure's cause. */
    void report() {
      replicas.forEach(AppProcess::logThreads); // first: they are killed soon after this
      replicas.forEach(r -> say(r + " says " + r.body("/q/health/ready")));
    }

    @Override
    public void close() {
      replicas.forEach(AppProcess::close);
      broker.close();
    }
  }
}
