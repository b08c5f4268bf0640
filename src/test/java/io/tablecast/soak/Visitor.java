package io.tablecast.soak;

import io.tablecast.testkit.Message;
import io.tablecast.testkit.TableModel;
import io.tablecast.testkit.WsClient;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A client of one table: connects to either replica, filters, reads, stalls, goes without a word,
 * and comes back with its token. Fails at the first breach of the delivery contract. One thread.
 */
final class Visitor implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration RETRY = Duration.ofMillis(100);

  /** Messages of a topic that was deleted may still be on their way for so long. */
  private static final Duration RECREATION = Duration.ofSeconds(60);

  private final Topic topic;
  private final List<AppProcess> replicas;
  private final Random random;
  private TableModel model;
  private int interval;
  private @Nullable WsClient socket;
  private String where = "";

  Visitor(Topic topic, List<AppProcess> replicas, Random random) {
    this.topic = topic;
    this.replicas = replicas;
    this.random = random;
    this.model = newModel();
  }

  /** One that wants everything, from this replica. */
  static Visitor ofAll(Topic topic, AppProcess replica) {
    Visitor visitor = new Visitor(topic, List.of(replica), new Random(0));
    visitor.model = new TableModel(List.of(), List.of());
    return visitor;
  }

  /** That of its topic. */
  Map<Bytes, Bytes> fold(Map<Topic, Map<Bytes, Bytes>> folds) {
    return Objects.requireNonNull(folds.get(topic));
  }

  private TableModel newModel() {
    interval = random.nextInt(3) == 0 ? random.nextInt(400) : 0;
    return new TableModel(Topic.someKeys(random), Topic.somePrefixes(random));
  }

  /** Comes and goes until told to stop. */
  void comeAndGo(BooleanSupplier enough) {
    while (!enough.getAsBoolean()) {
      if (socket == null) {
        connect();
      }
      for (int i = random.nextInt(60); i > 0 && here() && !enough.getAsBoolean(); i--) {
        read(TICK);
      }
      WsClient open = socket;
      if (open != null && !enough.getAsBoolean()) {
        if (random.nextInt(3) == 0) {
          stall(open, enough);
        } else {
          leave(open);
        }
      }
    }
  }

  private boolean here() {
    return socket != null;
  }

  /** Takes nothing from the network for a while; what came before is read. */
  private void stall(WsClient open, BooleanSupplier enough) {
    open.pause(true);
    for (int i = random.nextInt(30); i > 0 && !enough.getAsBoolean(); i--) {
      read(TICK);
    }
    open.pause(false);
  }

  private void leave(WsClient open) {
    if (random.nextBoolean()) {
      open.abort();
    } else {
      open.close();
    }
    gone();
    if (random.nextInt(4) == 0) {
      model = newModel();
    }
  }

  private void gone() {
    socket = null;
    model.disconnected();
  }

  private void connect() {
    AppProcess replica = replicas.get(random.nextInt(replicas.size()));
    where = replica.toString();
    StringBuilder path = new StringBuilder("/ws/").append(topic.name()).append("?meta=true");
    model.keys().forEach(key -> path.append("&key=").append(encode(key)));
    model.prefixes().forEach(prefix -> path.append("&prefix=").append(encode(prefix)));
    if (interval > 0) {
      path.append("&interval=").append(interval);
    }
    String token = model.token();
    if (token == null) {
      model.forgetOrder(); // nothing tells the replica what this client has seen
    } else {
      path.append("&resume=").append(encode(token));
    }
    try {
      socket = WsClient.open(replica.base(), path.toString());
    } catch (IOException e) {
      LockSupport.parkNanos(RETRY.toNanos()); // it is down, or refuses: both are part of the game
    }
  }

  /** Reads one message if one comes in this time. */
  private boolean read(Duration patience) {
    WsClient open = socket;
    if (open == null) {
      return false;
    }
    boolean closed = open.isClosed();
    Message message = open.poll(closed ? Duration.ZERO : patience);
    if (message == null) {
      if (closed) {
        gone();
      }
      return false;
    }
    if (isSnapshot(message) && topic.recreatedWithin(RECREATION)) {
      model.forgetOrder();
    }
    model.apply(message);
    if (!model.breaches().isEmpty()) {
      throw new AssertionError(model.breaches() + " from " + where + ": " + this);
    }
    return true;
  }

  private static boolean isSnapshot(Message message) {
    return message.type().equals("subscribed")
        && message.json().path("mode").asText().equals("snapshot");
  }

  /**
   * Reads until the map is the fold, and a little longer: what still comes must change nothing. It
   * may be that it was cut off, for having stalled before: then it comes back and reads on.
   */
  void settle(Map<Bytes, Bytes> fold) {
    Map<Bytes, Bytes> expected = new HashMap<>(fold);
    expected.keySet().removeIf(key -> !model.matches(key));
    long end = System.nanoTime() + PATIENCE.toNanos();
    do {
      while (!holds(expected) && System.nanoTime() < end) {
        if (socket == null) {
          connect();
        }
        read(TICK);
      }
      while (read(TICK)) {
        // Empties what has come.
      }
    } while (socket == null && System.nanoTime() < end);
    if (!holds(expected)) {
      throw new AssertionError(
          "not the folded log: live " + model.live() + ", " + differences(expected) + this);
    }
  }

  private boolean holds(Map<Bytes, Bytes> expected) {
    return model.live() && model.map().equals(expected);
  }

  private String differences(Map<Bytes, Bytes> expected) {
    Set<Bytes> keys = new TreeSet<>(expected.keySet());
    keys.addAll(model.map().keySet());
    StringBuilder text = new StringBuilder();
    keys.stream()
        .filter(key -> !Objects.equals(expected.get(key), model.map().get(key)))
        .limit(5)
        .forEach(
            key ->
                text.append(key)
                    .append(": expected ")
                    .append(brief(expected.get(key)))
                    .append(", held ")
                    .append(brief(model.map().get(key)))
                    .append(", told ")
                    .append(model.told(key))
                    .append("; "));
    return text.toString();
  }

  private static String brief(@Nullable Bytes value) {
    String text = String.valueOf(value);
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    WsClient open = socket;
    if (open != null) {
      open.abort();
    }
  }

  @Override
  public String toString() {
    return "client of " + topic.name() + " at " + where + ", " + model;
  }
}
