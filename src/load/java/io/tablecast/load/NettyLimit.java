package io.tablecast.load;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.utils.Bytes;

/**
 * What Netty can do at most with the same frames: encoded once for all clients, header included, in
 * direct memory; one write per client and poll; no filter, no conflation, no bound on what waits
 * for a slow client. A snapshot is encoded before it is asked for, and written as long as the
 * channel takes it.
 */
final class NettyLimit {
  private static final int FRAME_BYTES = 65_536;

  private final Map<EventLoop, Set<Channel>> channels = new HashMap<>();
  private volatile List<ByteBuf> snapshot = List.of();

  private NettyLimit() {}

  public static void main(String[] args) throws InterruptedException {
    new NettyLimit().run(args[0]);
  }

  private void run(String bootstrap) throws InterruptedException {
    NioEventLoopGroup loops = new NioEventLoopGroup(Runtime.getRuntime().availableProcessors());
    loops.forEach(l -> channels.put((EventLoop) l, new LinkedHashSet<>()));
    KafkaConsumer<byte[], byte[]> consumer = Polling.open(bootstrap, Data.TOPIC, true);
    Map<Bytes, byte[]> table = new LinkedHashMap<>();
    Polling.toEnd(consumer, batch -> batch.forEach(r -> table.put(Bytes.wrap(r.key()), r.value())));
    snapshot = encode(table);
    Channel server =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(new Connection());
                  }
                })
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    String address = server.localAddress().toString();
    System.out.println("READY " + address.substring(address.lastIndexOf(':') + 1));
    while (true) {
      var batch = consumer.poll(Duration.ofMillis(100));
      if (!batch.isEmpty()) {
        Changes changes = new Changes();
        for (ConsumerRecord<byte[], byte[]> r : batch) {
          changes.add(r.key(), r.value());
        }
        send(changes.frame());
      }
    }
  }

  private void send(ByteBuf frame) {
    frame.retain(channels.size());
    channels.forEach(
        (loop, open) ->
            loop.execute(
                () -> {
                  for (Channel c : open) {
                    c.writeAndFlush(frame.retainedDuplicate(), c.voidPromise());
                  }
                  frame.release();
                }));
    frame.release();
  }

  private static List<ByteBuf> encode(Map<Bytes, byte[]> table) {
    List<ByteBuf> frames = new ArrayList<>();
    Changes changes = new Changes();
    for (Map.Entry<Bytes, byte[]> e : table.entrySet()) {
      if (changes.size() > FRAME_BYTES - 300) {
        frames.add(changes.frame());
        changes = new Changes();
      }
      changes.add(e.getKey().get(), e.getValue());
    }
    if (!table.isEmpty()) {
      frames.add(changes.frame());
    }
    frames.add(
        text(
            "{\"type\":\"live\",\"id\":\"load\",\"token\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}"));
    return List.copyOf(frames);
  }

  private static ByteBuf text(String message) {
    ByteBuf payload = Unpooled.copiedBuffer(message, StandardCharsets.UTF_8);
    return framed(payload);
  }

  private static ByteBuf framed(ByteBuf payload) {
    int size = payload.readableBytes();
    ByteBuf frame = Unpooled.directBuffer(size + 10).writeByte(0x81);
    if (size < 126) {
      frame.writeByte(size);
    } else if (size < 65_536) {
      frame.writeByte(126).writeShort(size);
    } else {
      frame.writeByte(127).writeLong(size);
    }
    return frame.writeBytes(payload);
  }

  /** A message in the making. */
  private static final class Changes {
    private final ByteBuf out =
        Unpooled.buffer(1024)
            .writeBytes(ascii("{\"type\":\"changes\",\"id\":\"load\",\"changes\":["));
    private boolean first = true;

    void add(byte[] key, byte[] value) {
      out.writeBytes(ascii(first ? "{\"op\":\"put\",\"key\":\"" : ",{\"op\":\"put\",\"key\":\""));
      first = false;
      out.writeBytes(key).writeBytes(ascii("\",\"value\":")).writeBytes(value).writeByte('}');
    }

    int size() {
      return out.readableBytes();
    }

    ByteBuf frame() {
      return framed(
          out.writeBytes(ascii("],\"token\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}")));
    }

    private static byte[] ascii(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** Takes any request for an upgrade; the only message it knows is the wish for a snapshot. */
  private final class Connection extends ChannelInboundHandlerAdapter {
    private boolean upgraded;
    private int next = Integer.MAX_VALUE;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf in = (ByteBuf) message;
      int asked = in.readableBytes();
      in.release();
      if (!upgraded) {
        upgraded = true;
        ctx.writeAndFlush(
            Unpooled.copiedBuffer(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
                StandardCharsets.US_ASCII));
        channelsOf(ctx).add(ctx.channel());
      } else if (asked > 20) {
        next = 0;
        go(ctx);
      }
    }

    private void go(ChannelHandlerContext ctx) {
      while (next < snapshot.size() && ctx.channel().isWritable()) {
        ctx.writeAndFlush(snapshot.get(next++).retainedDuplicate(), ctx.voidPromise());
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
      go(ctx);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      channelsOf(ctx).remove(ctx.channel());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }

    private Set<Channel> channelsOf(ChannelHandlerContext ctx) {
      return java.util.Objects.requireNonNull(channels.get(ctx.channel().eventLoop()));
    }
  }
}
