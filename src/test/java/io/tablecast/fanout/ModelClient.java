package io.tablecast.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tablecast.token.Token;
import io.tablecast.wire.ClientMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A client as the protocol describes it, which fails at the first breach of the delivery contract.
 * At every message of a live subscription that carries a token its map must be the fold of the log
 * at that position.
 */
final class ModelClient implements Flow.Subscriber<Frame> {
  private static final ObjectMapper JSON = new ObjectMapper();

  final ClientMessage.Subscribe options;
  final Map<String, String> map = new TreeMap<>();
  final Map<String, long[]> seen = new HashMap<>();
  private final LogModel log;
  private @Nullable Session session;
  private Flow.@Nullable Subscription demand;
  @Nullable String token;
  String mode = "none";

  /**
   * Keys that have left with the start of a log: a replica that has yet to notice does not bring
   * them back.
   */
  private final Set<String> expired = new HashSet<>();

  private final List<Long> starts = new ArrayList<>();
  private final List<String> history = new ArrayList<>();
  int outstanding;
  boolean open;
  boolean live;
  boolean stale;
  int lives;
  int subscribed;
  int staleMessages;
  int bookmarks;
  int changesMessages;
  int delivered;
  long skipped;

  ModelClient(LogModel log, ClientMessage.Subscribe options) {
    this.log = log;
    this.options = options;
  }

  void connect(Replica replica) {
    session = replica.hub.open();
    open = live = stale = false;
    outstanding = 0;
    if (token == null) {
      seen.clear(); // nothing tells the replica what this client has seen
    }
    session.subscribe(this);
    assertTrue(
        session.receive(
            new ClientMessage.Subscribe(
                options.id(),
                options.table(),
                options.keys(),
                options.prefixes(),
                token,
                false,
                options.snapshot(),
                options.interval(),
                true)));
  }

  boolean connected() {
    return session != null;
  }

  void drop() {
    session().close();
    session = null;
    open = live = false;
  }

  private Session session() {
    assertNotNull(session);
    return session;
  }

  void unsubscribe() {
    session().receive(new ClientMessage.Unsubscribe(options.id()));
  }

  void request(int n) {
    outstanding += n;
    assertNotNull(demand);
    demand.request(n);
  }

  boolean matches(String key) {
    return options.keys().isEmpty() && options.prefixes().isEmpty()
        || options.keys().contains(key)
        || options.prefixes().stream().anyMatch(key::startsWith);
  }

  Map<String, String> expected() {
    assertNotNull(token, "no token");
    Token t = Token.decode(token).orElseThrow();
    t.partitions().forEach(p -> starts.add(p.start()));
    // a replica that has yet to notice that the log's start has moved does not bring back what
    // another one has deleted
    List<Token.Position> positions = new ArrayList<>();
    for (int p = 0; p < t.partitions().size(); p++) {
      Token.Position at = t.partitions().get(p);
      starts.set(p, Math.max(starts.get(p), at.start()));
      positions.add(new Token.Position(at.next(), starts.get(p), -1, at.seen()));
    }
    Map<String, String> all = log.at(new Token(t.topicId(), t.asOf(), positions));
    all.keySet().removeIf(k -> !matches(k) || expired.contains(k));
    return all;
  }

  @Override
  public void onSubscribe(Flow.Subscription s) {
    demand = s;
  }

  @Override
  public void onNext(Frame frame) {
    outstanding--;
    assertTrue(outstanding >= 0, "more frames than were asked for");
    JsonNode m = parse(frame);
    history.add(m.toString());
    assertEquals(frame.type().type(), m.get("type").asText());
    assertEquals(frame.token(), m.has("token") ? m.get("token").asText() : null);
    switch (frame.type()) {
      case SUBSCRIBED -> subscribed(m);
      case CHANGES -> changes(m);
      case LIVE -> live();
      case BOOKMARK -> {
        bookmarks++;
        assertTrue(live && !stale, "a bookmark before live, or while stale");
      }
      case STALE -> {
        staleMessages++;
        assertTrue(live && !stale, "stale only once, and after live");
        stale = true;
      }
      case UNSUBSCRIBED -> open = live = false;
      default -> throw new AssertionError("unexpected " + m);
    }
    if (m.has("token")) {
      token = m.get("token").asText();
      if (live && options.snapshot() && exact(frame, m)) {
        assertEquals(
            expected(),
            map,
            () ->
                options
                    + " the map at the token of the last of\n"
                    + String.join("\n", history)
                    + "\n");
      }
    }
  }

  /** Whether the token names what the client now holds, and not only where to go on from. */
  private static boolean exact(Frame frame, JsonNode m) {
    List<String> members = new ArrayList<>();
    m.fieldNames().forEachRemaining(members::add);
    return frame.type() != FrameType.CHANGES
        || members.indexOf("token") > members.indexOf("changes");
  }

  private static JsonNode parse(Frame frame) {
    byte[] all = java.util.Arrays.copyOf(frame.head(), frame.size());
    System.arraycopy(frame.body(), 0, all, frame.head().length, frame.body().length);
    try {
      return JSON.readTree(all);
    } catch (IOException e) {
      throw new AssertionError(new String(all, java.nio.charset.StandardCharsets.UTF_8), e);
    }
  }

  private void subscribed(JsonNode m) {
    subscribed++;
    open = true;
    live = stale = false;
    mode = m.get("mode").asText();
    if (mode.equals("snapshot")) {
      map.clear();
      starts.clear();
      expired.clear();
      token = null; // it named what has just been dropped
    }
  }

  private void live() {
    lives++;
    assertTrue(open && (!live || stale), "live once after each subscribed, or after stale");
    live = true;
    stale = false;
  }

  private void changes(JsonNode m) {
    changesMessages++;
    assertTrue(open, "changes of a subscription that is not open");
    if (m.has("skipped")) {
      assertTrue(live, "skipped before live");
      skipped += m.get("skipped").asLong();
    }
    assertTrue(m.get("changes").size() > 0, "an empty message");
    for (JsonNode c : m.get("changes")) {
      change(c);
    }
  }

  private void change(JsonNode c) {
    delivered++;
    String key = c.get("key").asText();
    assertTrue(matches(key), () -> "a key outside the filter: " + c);
    expired.remove(key);
    if (c.get("op").asText().equals("delete") && !c.has("offset")) {
      expired.add(key);
    }
    if (c.get("op").asText().equals("put")) {
      map.put(key, c.get("value").toString());
    } else {
      map.remove(key);
    }
    if (c.has("offset")) {
      long[] now = {c.get("partition").asLong(), c.get("offset").asLong()};
      long[] before = seen.put(key, now);
      assertFalse(
          before != null && before[0] == now[0] && now[1] < before[1], () -> "back in time: " + c);
    }
  }

  @Override
  public void onError(Throwable t) {
    throw new AssertionError(t);
  }

  @Override
  public void onComplete() {
    throw new AssertionError("a session does not complete");
  }

  static ClientMessage.Subscribe options(List<String> keys, List<String> prefixes, long interval) {
    return new ClientMessage.Subscribe("p", "t", keys, prefixes, null, false, true, interval, true);
  }
}
