package io.tablecast.socket;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tablecast.fanout.FanoutEvents;
import io.tablecast.wire.ErrorCode;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what the hubs do. Any thread. */
@Singleton
public class FanoutMetrics implements FanoutEvents {
  private final MeterRegistry registry;
  private final Map<String, TableMeters> tables = new ConcurrentHashMap<>();
  private final Map<ErrorCode, Counter> refused = new ConcurrentHashMap<>();

  FanoutMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void subscriptions(String table, int delta) {
    of(table).subscriptions.addAndGet(delta);
  }

  @Override
  public void delivered(String table, int changes, long skipped, int bytes) {
    TableMeters m = of(table);
    m.delivered.increment(changes);
    m.bytes.increment(bytes);
    if (skipped > 0) {
      m.skipped.increment((double) skipped);
    }
  }

  @Override
  public void started(String table, String mode) {
    of(table).started(mode).increment();
  }

  @Override
  public void refused(ErrorCode code) {
    refused
        .computeIfAbsent(
            code,
            c ->
                Counter.builder("tablecast.requests.refused")
                    .description("Requests of clients that were answered with an error")
                    .tag("code", c.code())
                    .register(registry))
        .increment();
  }

  /**
   * The registry outlives the application when tests or dev mode start it again, and keeps the
   * first gauge of a name.
   */
  @PreDestroy
  void removeGauges() {
    tables.values().forEach(t -> registry.remove(t.open));
  }

  private TableMeters of(String table) {
    TableMeters known = tables.get(table);
    return known != null
        ? known
        : tables.computeIfAbsent(table, name -> new TableMeters(registry, name));
  }

  /** The meters of one table, so that counting looks nothing up in the registry. */
  private static final class TableMeters {
    private final MeterRegistry registry;
    private final String table;
    private final AtomicInteger subscriptions = new AtomicInteger();
    private final Gauge open;
    private final Counter delivered;
    private final Counter skipped;
    private final Counter bytes;
    private final Map<String, Counter> started = new ConcurrentHashMap<>();

    TableMeters(MeterRegistry registry, String table) {
      this.registry = registry;
      this.table = table;
      open =
          Gauge.builder("tablecast.subscriptions", subscriptions, AtomicInteger::get)
              .description("Open subscriptions")
              .tag("table", table)
              .register(registry);
      delivered = counter("tablecast.changes.delivered", "Changes handed to connections");
      skipped = counter("tablecast.changes.skipped", "Changes superseded before a client was told");
      bytes = counter("tablecast.bytes.sent", "Bytes of messages handed to connections");
    }

    Counter started(String mode) {
      return started.computeIfAbsent(
          mode,
          m ->
              Counter.builder("tablecast.subscriptions.started")
                  .description("Subscriptions started, by mode")
                  .tag("table", table)
                  .tag("mode", m)
                  .register(registry));
    }

    private Counter counter(String name, String description) {
      return Counter.builder(name).description(description).tag("table", table).register(registry);
    }
  }
}
