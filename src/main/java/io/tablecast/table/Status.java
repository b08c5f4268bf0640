package io.tablecast.table;

/**
 * What the feed says of a table with each publication. Immutable.
 *
 * @param caughtUp whether every partition has reached the end that its log had when reading (again)
 *     began: before that no reader may show a value
 * @param staleSince since when, in ms since the epoch, touch with Kafka has been lost; 0 while it
 *     has not
 * @param frontier how far the topic has been followed
 */
public record Status(boolean caughtUp, long staleSince, Frontier frontier) {
  /** Before anything has been read. */
  public static final Status NONE = new Status(false, 0, Frontier.NONE);

  /** Whether touch with Kafka has been lost for longer than the limit. */
  public boolean stale() {
    return staleSince != 0;
  }
}
