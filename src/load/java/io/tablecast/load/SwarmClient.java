package io.tablecast.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One client: counts in the bytes as they come, and neither collects messages nor parses them
 * (unless it is to verify). Written to on its event loop; its counters are read from elsewhere
 * while nothing changes, or as a rough figure.
 */
final class SwarmClient extends ChannelInboundHandlerAdapter {
  private static final byte[] OP = "\"op\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TIME = "\"t\":".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SKIPPED = "\"skipped\":".getBytes(StandardCharsets.US_ASCII);
  private static final Pattern CHANGE =
      Pattern.compile(
          "\\{\"op\":\"(put|delete)\",\"key\":\"([^\"]*)\"(?:,\"value\":\\{\"t\":(\\d+))?");

  private static final int TYPE_AT = "{\"type\":\"".length();

  long changes;
  long skipped;
  long frames;
  long bytes;
  long live;

  /**
   * When it last read, by {@link System#nanoTime}; written after the counters and to be read before
   * them.
   */
  volatile long lastRead;

  private final String path;
  private final int valueBytes;
  private final @Nullable Histogram latencies;
  private final @Nullable ByteArrayOutputStream message;
  private final Map<String, Long> map = new HashMap<>();
  private final Runnable opened;
  private @Nullable ChannelHandlerContext context;
  private boolean upgraded;
  private int newlines;

  // where we are in the stream
  private final byte[] header = new byte[10];
  private int headerBytes;
  private int opcode;
  private long left;
  private long at;
  private boolean inHead;
  private int matched;
  private int skip;
  private boolean timing;
  private int digitsLeft;
  private long digits;
  private boolean counting;

  SwarmClient(
      String path, int valueBytes, @Nullable Histogram latencies, boolean verify, Runnable opened) {
    this.path = path;
    this.valueBytes = valueBytes;
    this.latencies = latencies;
    this.opened = opened;
    message = verify ? new ByteArrayOutputStream() : null;
  }

  boolean isOpen() {
    ChannelHandlerContext c = context;
    return upgraded && c != null && c.channel().isActive();
  }

  void reset() {
    changes = 0;
    skipped = 0;
    frames = 0;
    bytes = 0;
    live = 0;
  }

  void close() {
    if (context != null) {
      context.close();
    }
  }

  String reading(boolean on) {
    if (context != null) {
      context.channel().config().setAutoRead(on);
    }
    return "done";
  }

  /** A number that says what it holds. */
  String digest() {
    long digest = 0;
    for (Map.Entry<String, Long> e : map.entrySet()) {
      digest += e.getKey().hashCode() * 31L + e.getValue();
    }
    return map.size() + ":" + digest;
  }

  void send(String text) {
    byte[] payload = text.getBytes(StandardCharsets.UTF_8);
    ChannelHandlerContext c = context;
    if (c != null) {
      c.channel().writeAndFlush(masked(1, payload));
    }
  }

  /** With the mask 0, which leaves the bytes as they are. */
  private static ByteBuf masked(int opcode, byte[] payload) {
    ByteBuf frame = Unpooled.buffer(payload.length + 8);
    frame.writeByte(0x80 | opcode);
    if (payload.length < 126) {
      frame.writeByte(0x80 | payload.length);
    } else {
      frame.writeByte(0x80 | 126).writeShort(payload.length);
    }
    return frame.writeInt(0).writeBytes(payload);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    context = ctx;
    String request =
        "GET "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    ctx.writeAndFlush(Unpooled.copiedBuffer(request, StandardCharsets.US_ASCII));
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (!upgraded) {
      opened.run();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    System.err.println(path + ": " + cause);
    ctx.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object read) {
    ByteBuf in = (ByteBuf) read;
    try {
      if (!upgraded) {
        upgrade(in);
      }
      bytes += in.readableBytes();
      while (in.isReadable()) {
        if (left == 0 && headerBytes >= 0) {
          header(ctx, in);
        } else {
          payload(ctx, in);
        }
      }
      lastRead = System.nanoTime();
    } finally {
      in.release();
    }
  }

  private void upgrade(ByteBuf in) {
    while (in.isReadable()) {
      byte b = in.readByte();
      if (b == '\n') {
        newlines++;
      } else if (b != '\r') {
        newlines = 0;
      }
      if (newlines == 2) {
        upgraded = true;
        opened.run();
        return;
      }
    }
  }

  private void header(ChannelHandlerContext ctx, ByteBuf in) {
    header[headerBytes++] = in.readByte();
    if (headerBytes < 2) {
      return;
    }
    int shortLength = header[1] & 0x7f;
    int needed = shortLength == 126 ? 4 : shortLength == 127 ? 10 : 2;
    if (headerBytes < needed) {
      return;
    }
    left = shortLength;
    if (needed > 2) {
      left = 0;
      for (int i = 2; i < needed; i++) {
        left = left << 8 | header[i] & 0xff;
      }
    }
    opcode = header[0] & 0x0f;
    headerBytes = 0;
    at = 0;
    inHead = true;
    matched = 0;
    skip = 0;
    timing = false;
    counting = false;
    if (left == 0) {
      end(ctx);
    }
  }

  private void payload(ChannelHandlerContext ctx, ByteBuf in) {
    int here = (int) Math.min(left, in.readableBytes());
    if (message != null) {
      in.getBytes(in.readerIndex(), copy(here), 0, here);
    }
    if (opcode == 1) {
      scan(in, here);
    } else {
      in.skipBytes(here);
    }
    left -= here;
    if (left == 0) {
      end(ctx);
    }
  }

  private byte[] scratch = new byte[0];

  private byte[] copy(int length) {
    scratch = new byte[length];
    return scratch;
  }

  private void scan(ByteBuf in, int length) {
    int end = in.readerIndex() + length;
    int i = in.readerIndex();
    if (message != null) {
      message.writeBytes(scratch);
    }
    while (i < end) {
      if (skip > 0) {
        int n = Math.min(skip, end - i);
        skip -= n;
        at += n;
        i += n;
        continue;
      }
      byte b = in.getByte(i++);
      if (inHead) {
        head(b);
      } else {
        body(b);
      }
      at++;
    }
    in.readerIndex(end);
  }

  private void head(byte b) {
    if (at == TYPE_AT && b == 'l') {
      live++;
      skip = Integer.MAX_VALUE;
    } else if (counting) {
      if (b >= '0' && b <= '9') {
        digits = digits * 10 + b - '0';
      } else {
        counting = false;
        skipped += digits;
      }
    } else if (b == '[') {
      inHead = false;
      matched = 0;
    } else if (match(SKIPPED, b)) {
      counting = true;
      digits = 0;
    }
  }

  private void body(byte b) {
    if (digitsLeft > 0) {
      digits = digits * 10 + b - '0';
      if (--digitsLeft == 0) {
        if (latencies != null) {
          latencies.recordValue(Math.max(0, Data.latency(digits)));
        }
        timing = false;
        skip = valueBytes - 64;
      }
    } else if (timing) {
      if (match(TIME, b)) {
        digitsLeft = Data.TIME_DIGITS;
        digits = 0;
      }
    } else if (match(OP, b)) {
      changes++;
      if (latencies != null) {
        timing = true;
      } else {
        skip = valueBytes;
      }
    }
  }

  private boolean match(byte[] pattern, byte b) {
    if (b == pattern[matched]) {
      matched++;
    } else {
      matched = b == pattern[0] ? 1 : 0;
    }
    if (matched == pattern.length) {
      matched = 0;
      return true;
    }
    return false;
  }

  private void end(ChannelHandlerContext ctx) {
    if (opcode == 9) {
      ctx.writeAndFlush(masked(10, new byte[0]));
    } else if (opcode == 8) {
      ctx.close();
    } else if (opcode == 1) {
      frames++;
      if (message != null) {
        verify(message.toString(StandardCharsets.UTF_8));
        message.reset();
      }
    }
    skip = 0;
    digitsLeft = 0;
  }

  private void verify(String text) {
    if (text.startsWith("{\"type\":\"subscribed\"")) {
      map.clear();
    }
    Matcher changes = CHANGE.matcher(text);
    while (changes.find()) {
      if (changes.group(1).equals("put")) {
        map.put(changes.group(2), Long.parseLong(changes.group(3)));
      } else {
        map.remove(changes.group(2));
      }
    }
  }
}
