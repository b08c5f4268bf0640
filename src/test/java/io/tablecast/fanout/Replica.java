package io.tablecast.fanout;

import io.tablecast.table.Frontier;
import io.tablecast.table.LeaderEpochs;
import io.tablecast.table.PartitionFrontier;
import io.tablecast.table.Status;
import io.tablecast.table.Table;
import io.tablecast.table.TableSettings;
import io.tablecast.table.Tables;
import io.tablecast.table.TopicId;
import io.tablecast.wire.ValueFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A table that follows a {@link LogModel} at its own pace, with a hub on it. */
final class Replica {
  final FakeLoop loop = new FakeLoop();
  final LogModel log;
  final Table table;
  final Hub hub;
  private final long[] next;
  private final long[] starts;
  private final long[] origin;
  private final TopicId topic;
  private long clock = 1_000_000;
  boolean caughtUp;
  long staleSince;

  Replica(LogModel log, TopicId topic, int frameBytes, long bookmarkMillis) {
    this.log = log;
    this.topic = topic;
    table = new Table("t", new TableSettings(1024, 0.3), () -> clock);
    next = new long[log.partitions.size()];
    starts = log.starts.clone();
    origin = log.starts.clone();
    FanoutSettings settings =
        new FanoutSettings(frameBytes, bookmarkMillis, 100, 100, t -> ValueFormat.AUTO);
    hub = new Hub(loop, new Tables(List.of(table)), settings, new NoEvents(), () -> Long.MAX_VALUE);
  }

  /** Applies some of what is there, in any order of the partitions, and publishes. */
  void follow(Random random, int atMost) {
    for (int i = 0; i < atMost; i++) {
      int p = random.nextInt(next.length);
      List<LogModel.Entry> entries = log.partitions.get(p);
      jump(p);
      if (next[p] < entries.size()) {
        apply(entries.get((int) next[p]));
        next[p]++;
      }
    }
    publish();
  }

  void followAll() {
    for (int p = 0; p < next.length; p++) {
      jump(p);
      for (; next[p] < log.partitions.get(p).size(); next[p]++) {
        apply(log.partitions.get(p).get((int) next[p]));
      }
    }
    caughtUp = true;
    publish();
  }

  /** What was deleted before it was read is never known here. */
  private void jump(int p) {
    if (next[p] < log.starts[p]) {
      next[p] = starts[p] = origin[p] = log.starts[p];
      table.writer().advanceStart(p, log.starts[p]);
    }
  }

  private void apply(LogModel.Entry e) {
    byte[] value = e.value() == null ? null : e.value().getBytes(StandardCharsets.UTF_8);
    table
        .writer()
        .apply(
            e.partition(),
            e.offset(),
            e.timestamp(),
            e.key().getBytes(StandardCharsets.UTF_8),
            value);
  }

  /** Notices how far the starts of the log have moved. */
  void followStarts() {
    for (int p = 0; p < next.length; p++) {
      if (log.starts[p] > starts[p] && next[p] >= log.starts[p]) {
        table.writer().advanceStart(p, log.starts[p]);
        starts[p] = log.starts[p];
      }
    }
    publish();
  }

  void clean(long retention, long later) {
    clock += later;
    while (table.writer().clean(retention)) {}
    publish();
  }

  /** The topic is read again from its start. */
  void startOver() {
    table.writer().startOver();
    java.util.Arrays.fill(next, 0);
    System.arraycopy(log.starts, 0, starts, 0, starts.length);
    System.arraycopy(log.starts, 0, origin, 0, origin.length);
    caughtUp = false;
    publish();
  }

  void publish() {
    List<PartitionFrontier> partitions = new ArrayList<>();
    for (int p = 0; p < next.length; p++) {
      partitions.add(new PartitionFrontier(next[p], 0, starts[p], origin[p], 0, LeaderEpochs.NONE));
    }
    table
        .writer()
        .publish(
            new Status(caughtUp, staleSince, new Frontier(topic, 1, Long.MAX_VALUE, partitions)));
    hub.wake();
  }
}
