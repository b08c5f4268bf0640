package io.tablecast.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.tablecast.fanout.Frame;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Frames as they go over the wire (RFC 6455, section 5.2: text, unmasked, in one piece), in direct
 * memory. Clients of a loop that are told the same share one copy: otherwise Netty would make one
 * for each of them. Confined to the loop.
 */
final class EncodedFrames {
  /** Bytes and number of what is kept for others; the oldest go first. */
  private static final int MAX_BYTES = 4 << 20;

  private static final int MAX_FRAMES = 64;

  private static final int TEXT = 0x81;
  private static final int SHORT = 126;
  private static final int LONG = 127;
  private static final int MAX_HEADER = 10;

  private final ByteBufAllocator allocator;
  private final IdentityHashMap<byte[], Encoded> known = new IdentityHashMap<>();
  private final Queue<Encoded> oldest = new ArrayDeque<>();
  private @Nullable Encoded newest;
  private long bytes;

  /** A frame and where its body begins. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Encoded(byte[] head, byte[] body, ByteBuf buffer) {
    /** The frame with another head. */
    ByteBuf body(ByteBuf start) {
      return Unpooled.wrappedBuffer(
          start, buffer.retainedSlice(buffer.readableBytes() - body.length, body.length));
    }
  }

  EncodedFrames(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** The frame's bytes, which are the caller's to release and not to write to. */
  ByteBuf of(Frame frame) {
    byte[] head = frame.head();
    byte[] body = frame.body();
    if (body.length == 0) {
      return start(head, 0, 0);
    }
    Encoded e = find(body);
    if (e == null) {
      e = new Encoded(head, body, start(head, body.length, body.length).writeBytes(body));
      keep(e);
    }
    return e.head() == head || Arrays.equals(e.head(), head)
        ? e.buffer().retainedDuplicate()
        : e.body(start(head, body.length, 0));
  }

  private @Nullable Encoded find(byte[] body) {
    Encoded last = newest;
    return last != null && last.body() == body ? last : known.get(body);
  }

  private void keep(Encoded e) {
    newest = e;
    known.put(e.body(), e);
    oldest.add(e);
    bytes += e.buffer().readableBytes();
    while (oldest.size() > 1 && (bytes > MAX_BYTES || oldest.size() > MAX_FRAMES)) {
      Encoded old = oldest.remove();
      known.remove(old.body());
      bytes -= old.buffer().readableBytes();
      old.buffer().release();
    }
  }

  /** Header and head of a frame, with room for more. */
  private ByteBuf start(byte[] head, int bodyBytes, int room) {
    int size = Math.addExact(head.length, bodyBytes);
    ByteBuf out = allocator.directBuffer(MAX_HEADER + head.length + room).writeByte(TEXT);
    if (size < SHORT) {
      out.writeByte(size);
    } else if (size < 1 << 16) {
      out.writeByte(SHORT).writeShort(size);
    } else {
      out.writeByte(LONG).writeLong(size);
    }
    return out.writeBytes(head);
  }
}
