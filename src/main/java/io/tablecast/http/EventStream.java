package io.tablecast.http;

import io.tablecast.fanout.Frame;
import io.tablecast.fanout.Session;
import io.tablecast.socket.Connections;
import io.tablecast.socket.Outflow;
import io.tablecast.socket.Room;
import io.tablecast.wire.ClientMessage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A subscription as server-sent events (WHATWG HTML, section 9.2). Confined to the connection's
 * event loop.
 */
final class EventStream implements Room.Guest {
  private static final Logger LOG = Logger.getLogger(EventStream.class);

  /** Proxies cut what has been silent for a minute or so. */
  private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final byte[] HEARTBEAT = ascii(":\n\n");
  private static final byte[] DATA = ascii("\ndata: ");
  private static final byte[] EVENT = ascii("event: ");
  private static final byte[] ID = ascii("\nid: ");
  private static final byte[] END = ascii("\n\n");
  private static final byte[] SPACE = ascii(" ");

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Room room;
  private final Connections connections;
  private final long stalledNanos;
  private final Session session;
  private final Outflow outflow;
  private boolean ended;
  private boolean leaving;
  private boolean beating;
  private long writtenAt = System.nanoTime();

  EventStream(
      HttpServerRequest request, Room room, Connections connections, Duration stalledAfter) {
    this.request = request;
    this.response = request.response();
    this.room = room;
    this.connections = connections;
    stalledNanos = stalledAfter.toNanos();
    session = room.open();
    outflow = new Outflow(session, session::close, this::send, this::broken);
  }

  static HttpServerResponse headers(HttpServerResponse response) {
    // The last one: nginx would gather events until a buffer is full.
    return response
        .putHeader("Content-Type", "text/event-stream")
        .putHeader("Cache-Control", "no-store")
        .putHeader("X-Accel-Buffering", "no");
  }

  void start(ClientMessage.Subscribe subscribe) {
    headers(response).setChunked(true);
    response.closeHandler(closed -> ended());
    response.exceptionHandler(e -> ended());
    // So that the client has the headers at once, also when the table is catching up.
    beat(System.nanoTime());
    room.add(this);
    session.receive(subscribe);
    outflow.start();
  }

  private void send(Frame frame, Consumer<@Nullable Throwable> taken) {
    writtenAt = System.nanoTime();
    response.write(event(frame)).onComplete(written -> taken.accept(written.cause()));
  }

  /**
   * A message as an event. A line feed, which can only lie between the tokens of a JSON value,
   * starts another {@code data} line, and the client's parser puts it back; a carriage return,
   * which would be taken for one more line feed, becomes a space.
   */
  static Buffer event(Frame frame) {
    Buffer out =
        Buffer.buffer(frame.size() + 128)
            .appendBytes(EVENT)
            .appendString(frame.type().type())
            .appendBytes(DATA);
    lines(out, frame.head());
    lines(out, frame.body());
    String token = frame.token();
    if (token != null) {
      out.appendBytes(ID).appendString(token);
    }
    return out.appendBytes(END);
  }

  private static void lines(Buffer out, byte[] message) {
    int from = 0;
    for (int i = 0; i < message.length; i++) {
      if (message[i] == '\n' || message[i] == '\r') {
        out.appendBytes(message, from, i - from);
        out.appendBytes(message[i] == '\n' ? DATA : SPACE);
        from = i + 1;
      }
    }
    out.appendBytes(message, from, message.length - from);
  }

  @Override
  public void sweep(long now) {
    if (leaving) {
      return;
    }
    if (outflow.stalled(now, stalledNanos) || (beating && now - writtenAt > stalledNanos)) {
      LOG.debugf("the event stream to %s has not taken its frame: cut", request.remoteAddress());
      cut();
    } else if (outflow.idle() && !beating && now - writtenAt > HEARTBEAT_NANOS) {
      beat(now);
    }
  }

  private void beat(long now) {
    beating = true;
    writtenAt = now;
    response.write(Buffer.buffer(HEARTBEAT)).onComplete(written -> beating = false);
  }

  /**
   * Ends the stream, and an HTTP/1 connection with it: on an open one the next request would come
   * here again.
   */
  @Override
  public void goAway() {
    if (ended || leaving) {
      return;
    }
    leaving = true;
    outflow.stop();
    response
        .end()
        .onComplete(
            written -> {
              ended();
              if (request.version() != HttpVersion.HTTP_2) {
                request.connection().close();
              }
            });
  }

  private void cut() {
    ended();
    if (request.version() == HttpVersion.HTTP_2) {
      response.reset();
    } else {
      // An orderly close would wait behind the bytes that the client does not take.
      var unsafe = ((ConnectionBase) request.connection()).channel().unsafe();
      unsafe.close(unsafe.voidPromise());
    }
  }

  private void broken(Throwable cause) {
    if (!ended && !response.closed()) {
      LOG.errorf(cause, "the event stream to %s can't go on", request.remoteAddress());
      cut();
    }
  }

  private void ended() {
    if (!ended) {
      ended = true;
      outflow.stop();
      room.remove(this);
      connections.leave(Connections.Kind.STREAM);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
