package io.tablecast.feed;

import io.tablecast.table.Status;
import io.tablecast.table.Table;
import io.tablecast.table.TableWriter;
import io.tablecast.wire.ValueFormat;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Keeps one table equal to what a new reader of its topic would build. Feed thread only. */
final class TopicFollower {
  private static final Logger LOG = Logger.getLogger(TopicFollower.class);

  /** A slow client must not miss a deletion, however briefly the topic keeps them. */
  private static final long LEAST_RETENTION = 120_000;

  private final Table table;
  private final TableWriter writer;
  private final TopicProgress progress;
  private final FeedEvents events;
  private final LongSupplier clock;
  private final @Nullable Long retention;
  private final ValueFormat format;
  private final TopicWarnings warnings;
  private final Set<String> warned = new HashSet<>();
  private long startedAt;
  private TableState noted = TableState.start();
  private boolean changed;
  private boolean moreToClean;
  private @Nullable Status published;

  /**
   * @param retention how long deletions are remembered, in ms; null: as long as the topic keeps
   *     them
   */
  TopicFollower(
      Table table,
      TopicProgress progress,
      ValueFormat format,
      @Nullable Long retention,
      FeedEvents events,
      LongSupplier clock) {
    this.table = table;
    this.writer = table.writer();
    this.progress = progress;
    this.format = format;
    this.warnings = new TopicWarnings(table.name(), format);
    this.retention = retention;
    this.events = events;
    this.clock = clock;
    this.startedAt = clock.getAsLong();
  }

  String topic() {
    return table.name();
  }

  Table table() {
    return table;
  }

  TopicProgress progress() {
    return progress;
  }

  /**
   * What to read. Partition 0 also of a topic that does not exist yet, so that no time is lost when
   * it does.
   */
  Set<TopicPartition> partitions() {
    Set<TopicPartition> all = new HashSet<>();
    for (int i = 0; i < Math.max(1, progress.partitions()); i++) {
      all.add(new TopicPartition(topic(), i));
    }
    return all;
  }

  /**
   * The poll of this generation that is applied next comes from behind this start of the log, and
   * records before it were never read.
   */
  void passed(int partition, long start, int generation) {
    if (generation == progress.generation()) {
      progress.partition(partition).passed(start);
    }
  }

  /**
   * Applies what a poll of this generation brought of one partition; passed over if the table has
   * started over since.
   */
  void apply(
      int partition, List<? extends ConsumerRecord<byte[], byte[]>> records, int generation) {
    if (generation != progress.generation()) {
      return;
    }
    PartitionProgress p = progress.partition(partition);
    for (int i = 0; i < records.size(); i++) {
      if (i % TableWriter.LOOK_AHEAD == 0) {
        lookAhead(records, i);
      }
      ConsumerRecord<byte[], byte[]> record = records.get(i);
      if (p.expired(record.offset())) {
        continue;
      }
      if (p.back(record.offset())) {
        startOver("partition " + partition + " was cut off before offset " + record.offset());
        return;
      }
      p.read(record.offset(), record.leaderEpoch().orElse(-1));
      apply(record);
    }
    if (!records.isEmpty()) {
      ConsumerRecord<byte[], byte[]> last = records.get(records.size() - 1);
      advance(partition, last.offset() + 1, last.leaderEpoch().orElse(-1), generation);
    }
    events.records(topic(), records.size());
  }

  private void lookAhead(List<? extends ConsumerRecord<byte[], byte[]>> records, int from) {
    int to = Math.min(records.size(), from + TableWriter.LOOK_AHEAD);
    for (int i = from; i < to; i++) {
      byte[] key = records.get(i).key();
      if (key != null) {
        writer.lookAhead(key);
      }
    }
  }

  private void apply(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null) {
      skip(record, "null-key", "it has no key, so it says nothing of any entry of the table");
      warnings.keyless();
      return;
    }
    try {
      writer.apply(
          record.partition(), record.offset(), record.timestamp(), record.key(), record.value());
      changed = true;
      byte[] value = record.value();
      if (value != null && !format.fits(value, 0, value.length)) {
        warnings.misfit(record.partition(), record.offset());
      }
    } catch (RuntimeException e) {
      skip(record, "rejected", "the table did not take it: " + e);
      LOG.debugf(e, "Record of topic %s was rejected", topic());
    }
  }

  private void skip(ConsumerRecord<byte[], byte[]> record, String reason, String meaning) {
    events.skipped(topic(), reason);
    if (warned.add(reason)) {
      LOG.warnf(
          "Record passed over: topic %s, partition %d, offset %d: %s. Further ones are only counted, in"
              + " tablecast_records_skipped_total",
          topic(), record.partition(), record.offset(), meaning);
    }
  }

  /** A poll of this generation has moved a partition's position. */
  void advance(int partition, long position, int leaderEpoch, int generation) {
    if (generation == progress.generation()) {
      startOverIf(progress.advanced(partition, position, leaderEpoch));
    }
  }

  /** A check has been answered. */
  void answered(TopicProgress.Check check, TopicAnswer answer) {
    startOverIf(progress.answered(check, answer));
    warnings.settings(progress.config());
    warnings.contested(writer.contested(), writer.contestedExample());
  }

  /** Draws conclusions; to be called after anything was learned, and from time to time. */
  void settle() {
    for (int i = 0; i < progress.partitions(); i++) {
      long start = progress.partition(i).takeStart();
      if (start >= 0) {
        int gone = writer.advanceStart(i, start);
        changed |= gone > 0;
        LOG.debugf("Partition %d of %s starts at %d now: %d records went", i, topic(), start, gone);
      }
    }
    startOverIf(progress.settle(clock.getAsLong()));
    writer.expect(progress.done(), progress.lag());
    noteTransition(progress.state());
  }

  private void startOverIf(@Nullable String reason) {
    if (reason != null) {
      startOver(reason);
    }
  }

  /** Empties the table, which is read from the beginning again. */
  void startOver(String reason) {
    LOG.warnf("Table %s starts over: %s", topic(), reason);
    writer.startOver();
    progress.startOver(reason);
    warnings.startOver();
    startedAt = clock.getAsLong();
    changed = true;
    events.startedOver(topic());
  }

  private void noteTransition(TableState now) {
    TableState before = noted;
    noted = now;
    if (before.caughtUp() != now.caughtUp()) {
      if (now.caughtUp()) {
        long took = clock.getAsLong() - startedAt;
        LOG.infof("Table %s has caught up with its topic, after %d ms", topic(), took);
        warnings.caughtUp(took, progress.config());
      }
    } else if (before instanceof TableState.Stale && !(now instanceof TableState.Stale)) {
      LOG.infof("Table %s follows its topic again", topic());
    }
    if (now instanceof TableState.Replaying r && !(before instanceof TableState.Replaying)) {
      long toRead = r.progress().stream().mapToLong(p -> Math.max(0, p.remaining())).sum();
      LOG.infof(
          "Table %s reads its topic: %d offsets in %d partitions",
          topic(), toRead, r.progress().size());
      LOG.debugf("Table %s: %s", topic(), r.progress());
    }
    if (now instanceof TableState.Waiting w && !now.equals(before)) {
      LOG.infof("Table %s waits: %s", topic(), w.reason());
    } else if (now instanceof TableState.Stale s && !now.equals(before)) {
      LOG.warnf(
          "Table %s is stale: no contact to Kafka since %s",
          topic(), Instant.ofEpochMilli(s.since()));
    }
  }

  /** One bounded step of cleaning. */
  void clean() {
    long kept = retention == null ? progress.config().deleteRetention() : retention;
    moreToClean = writer.clean(Math.max(LEAST_RETENTION, kept));
    changed |= moreToClean;
  }

  boolean moreToClean() {
    return moreToClean;
  }

  /** Shows readers what has changed. Returns whether anything has. */
  boolean publish() {
    Status status = progress.status();
    if (!changed && status.equals(published)) {
      return false;
    }
    writer.publish(status);
    changed = false;
    published = status;
    return true;
  }

  /** What operators are shown. */
  TableInfo info() {
    return new TableInfo(
        topic(),
        progress.partitions(),
        progress.state().caughtUp(),
        progress.lag(),
        progress.state(),
        progress.staleSince(),
        warnings.list());
  }
}
