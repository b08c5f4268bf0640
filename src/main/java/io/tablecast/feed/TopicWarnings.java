package io.tablecast.feed;

import io.tablecast.feed.TableInfo.Warning;
import io.tablecast.wire.ValueFormat;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What the operator should know of a topic: what it means and what to do. Each is logged when it
 * first shows. Feed thread only.
 */
final class TopicWarnings {
  private static final Logger LOG = Logger.getLogger(TopicWarnings.class);
  private static final long SHORT_RETENTION = Duration.ofHours(1).toMillis();
  private static final int EXAMPLE_LENGTH = 64;

  private final String topic;
  private final ValueFormat format;
  private final Map<String, Warning> warnings = new LinkedHashMap<>();
  private final Set<String> logged = new HashSet<>();
  private long keyless;
  private long misfits;
  private String firstMisfit = "";

  TopicWarnings(String topic, ValueFormat format) {
    this.topic = topic;
    this.format = format;
  }

  /** All that hold now. */
  List<Warning> list() {
    if (keyless > 0) {
      warnKeyless();
    }
    if (misfits > 0) {
      warnMisfits();
    }
    return List.copyOf(warnings.values());
  }

  /** A record had no key. */
  void keyless() {
    keyless++;
  }

  private void warnKeyless() {
    warn(
        "no-key",
        keyless
            + " records have no key and were passed over: only records with a key can be entries of a table. Let the"
            + " producer set one.");
  }

  /** A value is not what the table's format says. */
  void misfit(int partition, long offset) {
    if (misfits++ == 0) {
      firstMisfit = "partition " + partition + ", offset " + offset;
    }
  }

  private void warnMisfits() {
    warn(
        "format",
        misfits
            + " values are not "
            + format.name().toLowerCase(Locale.ROOT)
            + ", as tablecast.tables.\""
            + topic
            + "\".format says (the first one: "
            + firstMisfit
            + "); they are shown as with format auto. Correct the setting or the producer.");
  }

  /** How many keys several partitions hold, with one of them. */
  void contested(long keys, byte @Nullable [] example) {
    if (keys == 0 || example == null) {
      warnings.remove("contested-keys");
      return;
    }
    warn(
        "contested-keys",
        keys
            + " keys are in several partitions, e.g. \""
            + shown(example)
            + "\": the newest timestamp wins, and an old value may come back once a deletion has been compacted away. Let"
            + " all producers choose partitions the same way, and don't add partitions to a topic with keys.");
  }

  /** The topic's settings have been read. */
  void settings(TopicSettings settings) {
    if (!settings.known()) {
      return;
    }
    warnIf(
        !settings.compacted(),
        "not-compacted",
        "The topic is not compacted: entries vanish from the table when Kafka deletes their records, and the topic grows"
            + " with every update. Set cleanup.policy=compact.");
    warnIf(
        settings.compacted() && settings.deleted(),
        "compact-delete",
        "The topic has cleanup.policy=compact,delete: entries that are not written again vanish after retention.ms. If"
            + " that is not meant, set cleanup.policy=compact.");
    warnIf(
        settings.compacted() && settings.deleteRetention() < SHORT_RETENTION,
        "short-delete-retention",
        "delete.retention.ms is "
            + settings.deleteRetention()
            + ": a client that was away for longer starts over with a snapshot, and so does a table that was. Set it to"
            + " more than clients may be away and than reading the topic takes, e.g. Kafka's default of a day.");
  }

  /** Reading all that was there took this long, in ms. */
  void caughtUp(long took, TopicSettings settings) {
    warnIf(
        settings.compacted() && took > settings.deleteRetention(),
        "slow-replay",
        "Reading the topic took "
            + took
            + " ms, longer than delete.retention.ms="
            + settings.deleteRetention()
            + ": deletions that were compacted away meanwhile may have been missed. Set it to more than reading takes.");
  }

  private void warnIf(boolean holds, String code, String message) {
    if (holds) {
      warn(code, message);
    } else {
      warnings.remove(code);
    }
  }

  private void warn(String code, String message) {
    warnings.put(code, new Warning(code, message));
    if (logged.add(code)) {
      LOG.warnf("Topic %s: %s", topic, message);
    }
  }

  /** The counts of records go back to nothing. */
  void startOver() {
    keyless = 0;
    misfits = 0;
    warnings.clear();
  }

  private static String shown(byte[] key) {
    String text = new String(key, StandardCharsets.UTF_8);
    return text.length() <= EXAMPLE_LENGTH ? text : text.substring(0, EXAMPLE_LENGTH) + "…";
  }
}
