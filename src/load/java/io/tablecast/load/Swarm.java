package io.tablecast.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Many clients as one process. Commands, one a line: {@code connect port count path}, {@code keyed
 * port count each path} (client i asks for its own keys), {@code send text}, {@code await what
 * each} (until every client has had so many of: live, changes), {@code reset}, {@code report},
 * {@code stall i}, {@code resume i}, {@code digest i}, {@code disconnect}. Each is answered by a
 * line that begins with its name.
 */
final class Swarm {
  /** Of one client in so many each change's latency is taken. */
  private static final int SAMPLED = 10;

  private static final int PENDING = 200;

  private final EventLoopGroup loops = new NioEventLoopGroup(2);
  private final List<SwarmClient> clients = new ArrayList<>();
  private final Histogram latencies = new ConcurrentHistogram(3_600_000_000L, 3);
  private final Semaphore pending = new Semaphore(PENDING);
  private final int valueBytes;

  private Swarm(int valueBytes) {
    this.valueBytes = valueBytes;
  }

  /** The argument is the values' size in bytes. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Swarm swarm = new Swarm(Integer.parseInt(args[0]));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("READY");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", 2);
      System.out.println(
          words[0] + " " + swarm.command(words[0], words.length > 1 ? words[1] : ""));
    }
    System.exit(0);
  }

  private String command(String name, String rest) throws InterruptedException {
    String[] args = rest.split(" ");
    return switch (name) {
      case "connect" -> connect(args[0], Integer.parseInt(args[1]), i -> args[2]);
      case "keyed" -> {
        int each = Integer.parseInt(args[2]);
        yield connect(args[0], Integer.parseInt(args[1]), i -> keyed(args[3], i, each));
      }
      case "send" -> {
        long now = System.nanoTime();
        clients.forEach(c -> c.send(rest));
        yield Long.toString(now);
      }
      case "await" -> await(args[0], Long.parseLong(args[1]));
      case "reset" -> {
        latencies.reset();
        clients.forEach(SwarmClient::reset);
        yield "done";
      }
      case "report" -> report();
      case "stall" -> clients.get(Integer.parseInt(args[0])).reading(false);
      case "resume" -> clients.get(Integer.parseInt(args[0])).reading(true);
      case "digest" -> clients.get(Integer.parseInt(args[0])).digest();
      case "disconnect" -> {
        clients.forEach(SwarmClient::close);
        clients.clear();
        yield "done";
      }
      default -> throw new IllegalArgumentException("no command " + name);
    };
  }

  private static String keyed(String path, int client, int each) {
    StringBuilder query = new StringBuilder(path);
    for (int k = 0; k < each; k++) {
      query.append(query.indexOf("?") < 0 ? "?key=" : "&key=");
      query.append(Data.keyText((long) client * each + k));
    }
    return query.toString();
  }

  private String connect(String port, int count, IntFunction<String> path)
      throws InterruptedException {
    for (int i = 0; i < count; i++) {
      pending.acquire();
      boolean sampled = i % SAMPLED == 0;
      SwarmClient client =
          new SwarmClient(
              path.apply(i),
              valueBytes,
              sampled ? latencies : null,
              i == 0 && Boolean.getBoolean("load.verify"),
              pending::release);
      clients.add(client);
      Bootstrap bootstrap =
          new Bootstrap()
              .group(loops)
              .channel(NioSocketChannel.class)
              .option(ChannelOption.RCVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(65_536))
              .handler(
                  new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                      channel.pipeline().addLast(client);
                    }
                  });
      bootstrap
          .connect("127.0.0.1", Integer.parseInt(port))
          .addListener(
              done -> {
                if (!done.isSuccess()) {
                  System.err.println("no connection: " + done.cause());
                  pending.release();
                }
              });
    }
    pending.acquire(PENDING);
    pending.release(PENDING);
    return Long.toString(clients.stream().filter(SwarmClient::isOpen).count());
  }

  /** Returns when the last of them had it, by {@link System#nanoTime}. */
  private String await(String what, long each) {
    long limit = System.nanoTime() + 300_000_000_000L;
    while (!clients.stream().allMatch(c -> has(c, what) >= each)) {
      if (System.nanoTime() > limit) {
        return "never " + report();
      }
      LockSupport.parkNanos(200_000);
    }
    return Long.toString(clients.stream().mapToLong(c -> c.lastRead).max().orElse(0));
  }

  private static long has(SwarmClient c, String what) {
    if (c.lastRead == 0) {
      return 0;
    }
    return what.equals("live") ? c.live : c.changes + c.skipped;
  }

  private String report() {
    long changes = 0;
    long skipped = 0;
    long frames = 0;
    long bytes = 0;
    long least = Long.MAX_VALUE;
    long most = 0;
    int closed = 0;
    for (SwarmClient c : clients) {
      changes += c.changes;
      skipped += c.skipped;
      frames += c.frames;
      bytes += c.bytes;
      least = Math.min(least, c.changes + c.skipped);
      most = Math.max(most, c.changes + c.skipped);
      closed += c.isOpen() ? 0 : 1;
    }
    Histogram h = latencies.copy();
    return "changes=%d skipped=%d frames=%d bytes=%d least=%d most=%d closed=%d p50=%d p99=%d p999=%d max=%d"
        .formatted(
            changes,
            skipped,
            frames,
            bytes,
            least,
            most,
            closed,
            h.getValueAtPercentile(50),
            h.getValueAtPercentile(99),
            h.getValueAtPercentile(99.9),
            h.getMaxValue());
  }
}
