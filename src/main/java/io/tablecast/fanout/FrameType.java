package io.tablecast.fanout;

import java.util.Locale;

/** The type of a message to a client. */
public enum FrameType {
  SUBSCRIBED,
  CHANGES,
  LIVE,
  BOOKMARK,
  STALE,
  UNSUBSCRIBED,
  ERROR,
  PONG;

  /** As it stands in the message, e.g. {@code changes}. */
  public String type() {
    return name().toLowerCase(Locale.ROOT);
  }
}
