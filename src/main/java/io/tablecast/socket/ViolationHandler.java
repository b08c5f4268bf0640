package io.tablecast.socket;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.concurrent.TimeUnit;

/**
 * Answers frames that break RFC 6455, or are too large, with their close code. Vert.x would cut the
 * connection, and the client would not learn why.
 */
final class ViolationHandler extends ChannelInboundHandlerAdapter {
  /** Time for the client to read the close frame: its own can no longer be seen. */
  private static final int GRACE_SECONDS = 2;

  private final SocketClient client;

  private ViolationHandler(SocketClient client) {
    this.client = client;
  }

  static void install(ConnectionBase connection, SocketClient client) {
    String vertx = connection.channelHandlerContext().name();
    connection
        .channel()
        .pipeline()
        .addBefore(vertx, ViolationHandler.class.getName(), new ViolationHandler(client));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof CorruptedWebSocketFrameException violation)) {
      ctx.fireExceptionCaught(cause);
      return;
    }
    // What follows can't be read as frames, but must be read: a close with unread bytes becomes a
    // reset, which may overtake
    // the close frame.
    ctx.pipeline().addFirst(new Discard());
    var unused = ctx.executor().schedule(() -> end(ctx), GRACE_SECONDS, TimeUnit.SECONDS);
    int code = violation.closeStatus().code();
    if (code == CloseCode.TOO_LARGE) {
      client.tooLarge();
    } else {
      client.close(code, "not as RFC 6455 wants it: " + violation.getMessage());
    }
  }

  private static void end(ChannelHandlerContext ctx) {
    var unused = ctx.channel().close();
  }

  private static final class Discard extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
    }
  }
}
