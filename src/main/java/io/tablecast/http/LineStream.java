package io.tablecast.http;

import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import org.jboss.logging.Logger;

/**
 * Sends {@link Lines}: the next piece is made when the one before has been written. On the
 * connection's event loop.
 */
final class LineStream {
  private static final Logger LOG = Logger.getLogger(LineStream.class);

  private final Lines lines;
  private final HttpServerResponse response;
  private final Context context;
  private boolean gone;

  LineStream(Lines lines, HttpServerResponse response, Context context) {
    this.lines = lines;
    this.response = response;
    this.context = context;
  }

  void start() {
    response.putHeader("Content-Type", "application/x-ndjson").setChunked(true);
    response.closeHandler(closed -> gone = true);
    response.exceptionHandler(e -> gone = true);
    advance();
  }

  private void advance() {
    if (gone) {
      return;
    }
    if (lines.broken()) {
      abort("its table has started over");
    } else if (lines.wantsChanges()) {
      context
          .executeBlocking(
              () -> {
                lines.readChanges();
                return true;
              },
              false)
          .onSuccess(read -> advance())
          .onFailure(e -> abort(e.toString()));
    } else if (lines.done()) {
      response.end();
    } else {
      write();
    }
  }

  private void write() {
    byte[] piece = lines.next();
    if (piece.length == 0) {
      context.runOnContext(next -> advance());
      return;
    }
    // Through the loop again, so that other connections get their turn also when the socket takes
    // everything at once.
    response
        .write(Buffer.buffer(piece))
        .onSuccess(written -> context.runOnContext(next -> advance()))
        .onFailure(e -> gone = true);
  }

  /** A connection that breaks tells the client that this was not all; an orderly end would not. */
  private void abort(String reason) {
    LOG.infof("a stream of entries was broken off: %s", reason);
    gone = true;
    response.reset();
  }
}
