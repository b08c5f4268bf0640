package io.tablecast.wire;

import java.util.Locale;

/** Codes of the protocol's {@code error} message. */
public enum ErrorCode {
  BAD_MESSAGE,
  BAD_TOKEN,
  UNKNOWN_TABLE,
  DUPLICATE_ID,
  UNKNOWN_ID,
  TOO_MANY_SUBSCRIPTIONS,
  TOO_MANY_KEYS,
  FORBIDDEN,
  INTERNAL;

  /** As it stands in the message, e.g. {@code bad-message}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
