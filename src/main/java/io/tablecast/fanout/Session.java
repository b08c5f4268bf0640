package io.tablecast.fanout;

import io.tablecast.wire.ClientMessage;
import io.tablecast.wire.ErrorCode;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * One connection's subscriptions. All methods on the hub's loop.
 *
 * <p>As a publisher it has one subscriber, never completes by itself, and builds a frame when one is asked for and there is
 * something to tell: demand is what drives it, so what waits is a position, not a queue of frames.
 */
public final class Session implements Flow.Publisher<Frame> {
  /**
   * Does what a client asks for; the answer, or the error, comes as a frame.
   *
   * @return false when it was refused
   */
  public boolean receive(ClientMessage message) {
    throw new UnsupportedOperationException();
  }

  /** Sends an error message. */
  public void refuse(@Nullable String id, ErrorCode code, String message) {
    throw new UnsupportedOperationException();
  }

  /** Ends all subscriptions; no frame follows. */
  public void close() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void subscribe(Flow.Subscriber<? super Frame> subscriber) {
    throw new UnsupportedOperationException();
  }
}
