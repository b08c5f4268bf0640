package io.tablecast.table;

import org.jspecify.annotations.Nullable;

/**
 * The newest record that one partition holds of a contested key. Immutable.
 *
 * @param value null for a tombstone
 */
record Candidate(int partition, long offset, long timestamp, byte @Nullable [] value) {
  /** Whether this one is shown when both are there: the newer, at a tie the higher partition. */
  boolean beats(Candidate other) {
    return timestamp != other.timestamp ? timestamp > other.timestamp : partition > other.partition;
  }
}
