package io.tablecast.fanout;

import org.jspecify.annotations.Nullable;

/**
 * One message to a client: a JSON object in UTF-8, in two pieces so that sessions share the larger
 * one. The arrays must not be written to.
 *
 * @param head what is this subscription's own
 * @param body the rest; the same array for every subscription that gets the same changes
 * @param token the token that the message carries, if any
 */
@SuppressWarnings("ArrayRecordComponent")
public record Frame(FrameType type, byte[] head, byte[] body, @Nullable String token) {
  /** Bytes of the message. */
  public int size() {
    return head.length + body.length;
  }
}
