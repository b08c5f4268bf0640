package io.tablecast.feed;

import java.time.Duration;

/**
 * A topic's settings, as far as they matter here. Immutable.
 *
 * @param compacted whether {@code cleanup.policy} has {@code compact}
 * @param deleted whether {@code cleanup.policy} has {@code delete}
 * @param deleteRetention {@code delete.retention.ms}, in ms
 * @param known whether these were read, and not assumed
 */
record TopicSettings(boolean compacted, boolean deleted, long deleteRetention, boolean known) {
  /** Kafka's defaults for a compacted topic, for as long as nothing better is known. */
  static final TopicSettings ASSUMED =
      new TopicSettings(true, false, Duration.ofDays(1).toMillis(), false);
}
