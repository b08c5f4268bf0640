package io.tablecast.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tablecast.testkit.Message;
import io.tablecast.testkit.TableModel;
import io.tablecast.testkit.WsClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** One subscription to all of a table, with everything that it was sent. One thread. */
final class Watcher implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final TableModel model = new TableModel(List.of(), List.of());
  private final List<Message> messages = new ArrayList<>();
  private final WsClient socket;
  private boolean mayBeginAnew;

  Watcher(AppProcess app, String table, @Nullable String token) {
    String resume =
        token == null ? "" : "&resume=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
    socket = WsClient.connect(app.base(), "/ws/" + table + "?meta=true" + resume);
  }

  Watcher(AppProcess app, String table) {
    this(app, table, null);
  }

  /** The log may become another one: offsets may go back with a snapshot. */
  Watcher mayBeginAnew() {
    mayBeginAnew = true;
    return this;
  }

  /** All that came since the last call of this. */
  List<Message> taken() {
    List<Message> all = List.copyOf(messages);
    messages.clear();
    return all;
  }

  String token() {
    return Objects.requireNonNull(model.token(), "no token");
  }

  /** Reads until a message fits. */
  Message await(String what, Predicate<Message> fits) {
    int[] from = {messages.size()};
    Message[] found = new Message[1];
    await(
        what,
        () -> {
          for (; from[0] < messages.size() && found[0] == null; from[0]++) {
            if (fits.test(messages.get(from[0]))) {
              found[0] = messages.get(from[0]);
            }
          }
          return found[0] != null;
        });
    return found[0];
  }

  /** Reads until a message of this type. */
  Message await(String type) {
    return await(type, m -> m.type().equals(type));
  }

  /** Reads until it is live and its map is this one. */
  void awaitMap(Map<Bytes, Bytes> map) {
    await("the map " + map, () -> model.live() && model.map().equals(map));
  }

  private void await(String what, BooleanSupplier reached) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("no " + what + ", but " + messages + ", map " + model.map());
      }
      read(Duration.ofMillis(100));
    }
  }

  /** Reads what comes in this time, which must be nothing. */
  void assertSilent(Duration time) {
    int before = messages.size();
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      read(Duration.ofMillis(50));
    }
    assertEquals(List.of(), messages.subList(before, messages.size()));
  }

  private void read(Duration patience) {
    Message message = socket.poll(patience);
    if (message != null) {
      if (mayBeginAnew && message.text().contains("\"mode\":\"snapshot\"")) {
        model.forgetOrder();
      }
      messages.add(message);
      model.apply(message);
      assertEquals(List.of(), model.breaches());
    }
  }

  @Override
  public void close() {
    socket.abort();
  }
}
