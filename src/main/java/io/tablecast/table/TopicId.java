package io.tablecast.table;

/**
 * The 128-bit id that Kafka gives a topic when it is created (KIP-516): a topic of the same name
 * has another one.
 */
public record TopicId(long high, long low) {
  /** The id of a topic that is not known yet. */
  public static final TopicId NONE = new TopicId(0, 0);
}
