package io.tablecast.feed;

/** What is counted. Called on the feed thread; must not block. */
interface FeedEvents {
  /** Records of a topic have been read, those that were skipped included. */
  void records(String topic, int count);

  /** A record was passed over, for this reason. */
  void skipped(String topic, String reason);

  /** A table has started over. */
  void startedOver(String topic);
}
