package io.tablecast.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A well-formed message of a client. */
public sealed interface ClientMessage {
  /**
   * Opens a subscription.
   *
   * @param id 1 to 64 characters
   * @param keys with {@code prefixes}: what keys match; both empty: every key
   * @param resume a token as the client sent it, null for none
   * @param lenient whether a {@code resume} that is not a token counts as one that can't be
   *     honoured, instead of an error
   * @param snapshot false: only what changes from now on
   * @param interval at least 0, ms between the starts of deliveries
   * @param meta whether changes carry partition, offset and timestamp
   */
  record Subscribe(
      String id,
      String table,
      List<String> keys,
      List<String> prefixes,
      @Nullable String resume,
      boolean lenient,
      boolean snapshot,
      long interval,
      boolean meta)
      implements ClientMessage {
    /** Copies the lists. */
    public Subscribe {
      keys = List.copyOf(keys);
      prefixes = List.copyOf(prefixes);
    }
  }

  /** Ends a subscription. */
  record Unsubscribe(String id) implements ClientMessage {}

  /** Asks for a pong. */
  record Ping() implements ClientMessage {}
}
