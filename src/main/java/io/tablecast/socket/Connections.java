package io.tablecast.socket;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tablecast.config.TablecastConfig;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the open connections and admits new ones. Any thread. */
@Singleton
public class Connections {
  /** Seconds after which a refused client may try again. */
  public static final String RETRY_AFTER = "5";

  /** What clients hold open. */
  public enum Kind {
    WEBSOCKET,
    STREAM
  }

  private final MeterRegistry registry;
  private final List<Gauge> gauges = new ArrayList<>();
  private final int limit;
  private final AtomicInteger open = new AtomicInteger();
  private final Map<Kind, AtomicInteger> byKind = new EnumMap<>(Kind.class);
  private final CountDownLatch drained = new CountDownLatch(1);
  private volatile boolean stopping;

  Connections(TablecastConfig config, MeterRegistry registry) {
    this.registry = registry;
    limit = config.limits().connections();
    for (Kind kind : Kind.values()) {
      AtomicInteger count = new AtomicInteger();
      byKind.put(kind, count);
      gauges.add(
          Gauge.builder("tablecast.connections", count, AtomicInteger::get)
              .description("Open connections of clients")
              .tag("kind", kind.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  /**
   * The registry outlives the application when tests or dev mode start it again, and keeps the
   * first gauge of a name.
   */
  @PreDestroy
  void removeGauges() {
    gauges.forEach(registry::remove);
  }

  /**
   * Takes a place for a new connection, to be {@linkplain #leave left} once.
   *
   * @return false when there is none: the limit is reached, or the service is stopping
   */
  public boolean enter(Kind kind) {
    // The count first: once stopping is set, whoever sees no connection may rely on none to come.
    if (open.incrementAndGet() > limit || stopping) {
      release();
      return false;
    }
    count(kind).incrementAndGet();
    return true;
  }

  /** Gives a place back. */
  public void leave(Kind kind) {
    count(kind).decrementAndGet();
    release();
  }

  /** Whether the service is stopping: then no connection is admitted. */
  public boolean stopping() {
    return stopping;
  }

  /** Admits no connection from now on, for good. */
  void stop() {
    stopping = true;
    if (open.get() == 0) {
      drained.countDown();
    }
  }

  /**
   * Waits, after {@link #stop}, until the last connection is gone.
   *
   * @return false when some are still open after this time
   */
  boolean awaitNone(Duration patience) throws InterruptedException {
    return drained.await(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Open connections of all kinds. */
  int open() {
    return open.get();
  }

  private void release() {
    if (open.decrementAndGet() == 0 && stopping) {
      drained.countDown();
    }
  }

  private AtomicInteger count(Kind kind) {
    return Objects.requireNonNull(byKind.get(kind));
  }
}
