package io.tablecast.fanout;

import io.tablecast.token.Token;
import io.tablecast.wire.ServerMessages;
import org.jspecify.annotations.Nullable;

/**
 * Puts what a subscription has to tell into frames, and keeps track of the token that each leaves
 * the client with. Hub thread.
 */
final class Framing {
  private static final byte[] EMPTY = new byte[0];

  private final String id;
  private final TableFan fan;

  /** For changes with nothing to say before them, as nearly all are. */
  private final byte[] plainHead;

  /** The newest token that the client has: it holds everything up to there. */
  private @Nullable Token held;

  /**
   * @param held the token that the client resumes from
   */
  Framing(String id, TableFan fan, @Nullable Token held) {
    this.id = id;
    this.fan = fan;
    this.held = held;
    plainHead = ServerMessages.changesHead(id, 0, null);
  }

  Frame subscribed(Mode mode) {
    return whole(
        FrameType.SUBSCRIBED, ServerMessages.subscribed(id, fan.table.name(), mode.text()), null);
  }

  /**
   * @param since ms since the epoch
   */
  Frame stale(long since) {
    return whole(FrameType.STALE, ServerMessages.stale(id, since), null);
  }

  /** A message that names the client's place and says nothing more. */
  Frame positioned(FrameType type, Named token) {
    held = token.token();
    return whole(type, ServerMessages.positioned(type.type(), id, token.text()), token.text());
  }

  /**
   * @param skipped changes that were left out before these
   */
  Frame changes(Batch batch, long skipped) {
    Named whole = batch.token();
    Named partly = whole == null && held != null ? fan.partly(held) : null;
    held = whole == null ? held : whole.token();
    String own = partly == null ? null : partly.text();
    byte[] head =
        skipped > 0 || own != null ? ServerMessages.changesHead(id, skipped, own) : plainHead;
    return new Frame(FrameType.CHANGES, head, batch.body(), whole == null ? own : whole.text());
  }

  private static Frame whole(FrameType type, byte[] message, @Nullable String token) {
    return new Frame(type, message, EMPTY, token);
  }
}
