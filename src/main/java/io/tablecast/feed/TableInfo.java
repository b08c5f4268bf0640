package io.tablecast.feed;

import java.util.List;

/**
 * What the feed knows of a table: what readiness, {@code GET /tables} and the metrics show.
 * Immutable.
 *
 * @param name the table's, and the topic's
 * @param partitions number of partitions; 0 while the topic is not known
 * @param ready whether the table has caught up, so that its values may be shown
 * @param lag how many offsets the positions are behind the newest known ends, summed over the
 *     partitions; 0 at the end
 * @param state what the table is doing
 * @param staleSince since when, in ms since the epoch, touch with Kafka has been lost; 0 while it
 *     has not
 * @param warnings what the operator should know of the topic, each with what to do
 */
public record TableInfo(
    String name,
    int partitions,
    boolean ready,
    long lag,
    TableState state,
    long staleSince,
    List<Warning> warnings) {
  /** Copies the list. */
  public TableInfo {
    warnings = List.copyOf(warnings);
  }

  /**
   * Something that the operator should know.
   *
   * @param code what it is, in a word that does not change, e.g. {@code not-compacted}
   * @param message what it means and what to do
   */
  public record Warning(String code, String message) {}
}
