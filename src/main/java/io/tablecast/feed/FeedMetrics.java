package io.tablecast.feed;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tablecast.table.Table;
import io.tablecast.table.Tables;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** The feed's metrics; {@code docs/operations.md} lists them. */
@Singleton
class FeedMetrics implements FeedEvents {
  private final MeterRegistry registry;
  private final Map<String, Counter> records = new HashMap<>();
  private final Map<String, Counter> restarts = new HashMap<>();

  FeedMetrics(MeterRegistry registry, Tables tables, TableInfos infos) {
    this.registry = registry;
    for (Table table : tables.all()) {
      String name = table.name();
      records.put(
          name,
          Counter.builder("tablecast.records")
              .description("Records read, those that were skipped included")
              .tag("topic", name)
              .register(registry));
      restarts.put(
          name,
          Counter.builder("tablecast.table.restarts")
              .description("How often the table has started over")
              .tag("table", name)
              .register(registry));
      gauge("keys", null, "Keys that have a value", table, t -> t.version().size());
      gauge(
          "bytes",
          "bytes",
          "Memory of log and index",
          table,
          t -> t.version().logBytes() + t.version().indexBytes());
      gauge("dead", "bytes", "Superseded records in the log", table, t -> t.version().deadBytes());
      gauge("lag", null, "Offsets behind the newest known end", table, t -> info(infos, t).lag());
      gauge("ready", null, "1 when caught up", table, t -> info(infos, t).ready() ? 1 : 0);
      gauge(
          "stale",
          "seconds",
          "Time since contact was lost, 0 while there is contact",
          table,
          t -> staleSeconds(info(infos, t)));
    }
  }

  private void gauge(
      String name,
      @org.jspecify.annotations.Nullable String unit,
      String description,
      Table table,
      ToDoubleFunction<Table> value) {
    Gauge.builder("tablecast.table." + name, table, value)
        .baseUnit(unit)
        .description(description)
        .tag("table", table.name())
        .register(registry);
  }

  private static TableInfo info(TableInfos infos, Table table) {
    return Objects.requireNonNull(infos.find(table.name()));
  }

  private static double staleSeconds(TableInfo info) {
    return info.staleSince() == 0 ? 0 : (System.currentTimeMillis() - info.staleSince()) / 1000.0;
  }

  @Override
  public void records(String topic, int count) {
    counter(records, topic).increment(count);
  }

  @Override
  public void skipped(String topic, String reason) {
    registry.counter("tablecast.records.skipped", "topic", topic, "reason", reason).increment();
  }

  @Override
  public void startedOver(String topic) {
    counter(restarts, topic).increment();
  }

  private static Counter counter(Map<String, Counter> counters, String topic) {
    return Objects.requireNonNull(counters.get(topic), topic);
  }
}
