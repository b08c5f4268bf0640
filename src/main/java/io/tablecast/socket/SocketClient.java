package io.tablecast.socket;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.extensions.WebSocketExtensionEncoder;
import io.quarkus.websockets.next.CloseReason;
import io.quarkus.websockets.next.WebSocketConnection;
import io.tablecast.config.TablecastConfig.LimitsConfig;
import io.tablecast.fanout.Frame;
import io.tablecast.fanout.Session;
import io.tablecast.wire.BadMessageException;
import io.tablecast.wire.ClientMessage;
import io.tablecast.wire.ClientMessages;
import io.tablecast.wire.ErrorCode;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** One WebSocket connection. Confined to its event loop. */
final class SocketClient implements Room.Guest {
  private static final Logger LOG = Logger.getLogger(SocketClient.class);
  private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final WebSocketConnection socket;
  private final ConnectionBase connection;
  private final Room room;
  private final LimitsConfig limits;
  private final Session session;
  private final Outflow outflow;
  private final RateLimit rate;
  private final WindowLimit refusals;
  private final boolean extended;
  private final long stalledNanos;
  private final long pingNanos;
  private boolean ended;
  private boolean closing;
  private long closingSince;
  private boolean pinged;
  private long pingedAt;

  SocketClient(
      WebSocketConnection socket, ConnectionBase connection, Room room, LimitsConfig limits) {
    this.socket = socket;
    this.connection = connection;
    this.room = room;
    this.limits = limits;
    extended = connection.channel().pipeline().get(WebSocketExtensionEncoder.class) != null;
    long now = System.nanoTime();
    session = room.open();
    outflow = new Outflow(session, session::close, this::send, this::broken);
    rate = new RateLimit(limits.messagesPerSecond(), now);
    refusals = new WindowLimit(limits.badMessages());
    stalledNanos = limits.stalledAfter().toNanos();
    pingNanos = Math.min(PING_NANOS, stalledNanos / 2);
    pingedAt = now;
  }

  void start() {
    ViolationHandler.install(connection, this);
    room.add(this);
    outflow.start();
  }

  /** A subscription that the path and the query string ask for. */
  void subscribe(String table, @Nullable String query) {
    try {
      Query options = Query.parse(query);
      receive(options.subscription(table, options.one("resume"), false));
    } catch (BadParameterException e) {
      refuse(table, String.valueOf(e.getMessage()));
    }
  }

  void text(String message) {
    if (closing || overRate()) {
      return;
    }
    try {
      receive(ClientMessages.parse(message));
    } catch (BadMessageException e) {
      refuse(e.id(), String.valueOf(e.getMessage()));
    }
  }

  void binary() {
    if (!closing && !overRate()) {
      refuse(null, "binary messages are not part of the protocol: send text");
    }
  }

  /**
   * The answer has been written by Vert.x, whether or not the client reads: pings must be limited
   * as messages are.
   */
  void ping() {
    if (!closing) {
      overRate();
    }
  }

  void pong() {
    pinged = false;
  }

  private boolean overRate() {
    if (rate.take(System.nanoTime())) {
      return false;
    }
    close(
        CloseCode.POLICY_VIOLATION,
        "more than %d messages per second (tablecast.limits.messages-per-second)"
            .formatted(limits.messagesPerSecond()));
    return true;
  }

  private void receive(ClientMessage message) {
    if (!session.receive(message)) {
      countRefusal();
    }
  }

  private void refuse(@Nullable String id, String message) {
    session.refuse(id, ErrorCode.BAD_MESSAGE, message);
    countRefusal();
  }

  private void countRefusal() {
    if (!refusals.take(System.nanoTime())) {
      close(
          CloseCode.POLICY_VIOLATION,
          "more than %d refused messages in a minute (tablecast.limits.bad-messages)"
              .formatted(limits.badMessages()));
    }
  }

  void tooLarge() {
    close(
        CloseCode.TOO_LARGE,
        "message of more than %d bytes (tablecast.limits.message-bytes)"
            .formatted(limits.messageBytes()));
  }

  /**
   * Closes in order, behind what has been written.
   *
   * @param reason at most 123 bytes in UTF-8
   */
  void close(int code, String reason) {
    if (closing || ended) {
      return;
    }
    closing = true;
    closingSince = System.nanoTime();
    outflow.stop();
    if (socket.isOpen()) {
      socket
          .close(new CloseReason(code, reason))
          .subscribe()
          .with(done -> {}, e -> LOG.debugf("%s could not be closed: %s", socket, e));
    }
  }

  /** The connection has ended, whoever ended it. */
  void closed() {
    if (!ended) {
      ended = true;
      outflow.stop();
      room.remove(this);
    }
  }

  @Override
  public void sweep(long now) {
    if (closing) {
      if (now - closingSince > CLOSING_NANOS) {
        cut();
      }
    } else if (outflow.stalled(now, stalledNanos)) {
      LOG.debugf("%s has not taken its frame for %s: cut", socket, limits.stalledAfter());
      cut();
    } else if (pinged) {
      unanswered(now);
    } else if (now - pingedAt > pingNanos) {
      sendPing(now);
    }
  }

  private void unanswered(long now) {
    if (now - pingedAt > stalledNanos) {
      close(CloseCode.STALLED, "no answer to a ping (tablecast.limits.stalled-after)");
    }
  }

  private void sendPing(long now) {
    pinged = true;
    pingedAt = now;
    connection.writeToChannel(new PingWebSocketFrame(Unpooled.EMPTY_BUFFER));
  }

  /**
   * Ends the connection without a close frame: that would have to wait behind bytes that the client
   * does not take, and so does an orderly close of the channel.
   */
  private void cut() {
    outflow.stop();
    var unsafe = connection.channel().unsafe();
    unsafe.close(unsafe.voidPromise());
  }

  @Override
  public void goAway() {
    close(CloseCode.GOING_AWAY, "the service is stopping: go on elsewhere with the newest token");
  }

  private void send(Frame frame, Consumer<@Nullable Throwable> taken) {
    ChannelPromise written = connection.channel().newPromise();
    connection.writeToChannel(encoded(frame), written);
    if (written.isDone()) {
      // Through the loop: a client as fast as we are must not keep the others waiting.
      written.channel().eventLoop().execute(() -> taken.accept(written.cause()));
    } else {
      written.addListener(done -> taken.accept(done.cause()));
    }
  }

  /**
   * The bytes as they are, past the encoders; a frame for them where an extension is to change it.
   */
  private Object encoded(Frame frame) {
    return extended
        ? new TextWebSocketFrame(true, 0, Unpooled.wrappedBuffer(frame.head(), frame.body()))
        : room.frames().of(frame);
  }

  private void broken(Throwable cause) {
    if (closing || ended || !connection.channel().isActive()) {
      return;
    }
    LOG.errorf(cause, "%s: no further frame can be made", socket);
    close(CloseCode.INTERNAL, "internal error");
  }
}
