package io.tablecast.fanout;

import java.util.Locale;

/** How a subscription starts. */
enum Mode {
  /** With all that exists; the client begins with nothing. */
  SNAPSHOT,
  /** With what came after a token. */
  RESUME,
  /** With nothing old. */
  LIVE;

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
