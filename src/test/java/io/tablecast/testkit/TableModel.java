package io.tablecast.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.tablecast.testkit.Message.Change;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What a client makes of the messages of one subscription with {@code meta}, as the protocol says,
 * and what it has to complain about. One thread.
 */
public final class TableModel {
  /** Where a change stood: log order within a partition is what must never be reversed. */
  private record Place(int partition, long offset) {}

  /** How much is kept for reports of failures: messages without changes, and changes of a key. */
  private static final int HISTORY = 100;

  private static final int TOLD = 6;

  private final Map<Bytes, Bytes> map = new HashMap<>();
  private final Map<Bytes, Map<Integer, Place>> seen = new HashMap<>();
  private final Collection<String> keys;
  private final Collection<String> prefixes;
  private final Map<Bytes, Deque<String>> told = new HashMap<>();
  private final Deque<String> history = new ArrayDeque<>();
  private final List<String> breaches = new ArrayList<>();
  private boolean started;
  private boolean live;
  private boolean stale;
  private @Nullable String token;

  /** A model of a subscription with this filter; two empty collections match every key. */
  public TableModel(Collection<String> keys, Collection<String> prefixes) {
    this.keys = List.copyOf(keys);
    this.prefixes = List.copyOf(prefixes);
  }

  /** Applies one message. */
  public void apply(Message message) {
    if (!message.type().equals("changes")) {
      note(message.text());
    }
    switch (message.type()) {
      case "subscribed" -> start(message);
      case "changes" -> message.changes().forEach(change -> apply(change, message));
      case "live" -> goLive(message);
      case "bookmark" -> {}
      case "stale" -> goStale(message);
      default -> breaches.add("unexpected: " + message);
    }
    JsonNode newToken = message.json().get("token");
    if (newToken != null) {
      token = newToken.textValue();
    }
  }

  /**
   * The connection is gone: what the client holds stays, and the next message must be {@code
   * subscribed}.
   */
  public void disconnected() {
    started = false;
    live = false;
    stale = false;
  }

  /** The keys of the filter. */
  public Collection<String> keys() {
    return keys;
  }

  /** The prefixes of the filter. */
  public Collection<String> prefixes() {
    return prefixes;
  }

  /** Whether {@code live} has come, and no {@code stale} after it. */
  public boolean live() {
    return live && !stale;
  }

  /** The log is another one, or nothing tells the server what was seen: offsets may begin anew. */
  public void forgetOrder() {
    seen.clear();
  }

  /** What was last told of a key, oldest first. */
  public List<String> told(Bytes key) {
    return List.copyOf(told.getOrDefault(key, new ArrayDeque<>()));
  }

  /** The newest token. */
  public @Nullable String token() {
    return token;
  }

  /** Key to value, as the client holds it now. */
  public Map<Bytes, Bytes> map() {
    return Collections.unmodifiableMap(map);
  }

  /** What was against the delivery contract; to be empty. */
  public List<String> breaches() {
    return List.copyOf(breaches);
  }

  /** Whether the filter lets a key through. */
  public boolean matches(Bytes key) {
    String text = new String(key.get(), StandardCharsets.UTF_8);
    return (keys.isEmpty() && prefixes.isEmpty())
        || keys.contains(text)
        || prefixes.stream().anyMatch(text::startsWith);
  }

  @Override
  public String toString() {
    return "keys " + keys + ", prefixes " + prefixes + ", history " + history;
  }

  private void start(Message message) {
    String mode = message.json().path("mode").asText();
    if (mode.equals("snapshot")) {
      map.clear();
      token = null; // it is of what was dropped
    } else if (!mode.equals("resume") && !mode.equals("live")) {
      breaches.add("unknown mode: " + message);
    }
    started = true;
    live = false;
    stale = false;
  }

  private void goStale(Message message) {
    if (!live || stale) {
      breaches.add("stale out of place: " + message);
    }
    stale = true;
  }

  private void goLive(Message message) {
    if (!started || live && !stale) {
      breaches.add("live out of place: " + message);
    }
    live = true;
    stale = false;
  }

  private void apply(Change change, Message message) {
    if (!started) {
      breaches.add("changes before subscribed: " + message);
    }
    if (!matches(change.key())) {
      breaches.add("outside the filter: " + change.source());
    }
    checkOrder(change);
    tell(change.key(), change.source());
    Bytes value = change.value();
    if (value == null) {
      map.remove(change.key());
    } else {
      map.put(change.key(), value);
    }
  }

  private void tell(Bytes key, String source) {
    Deque<String> last = told.computeIfAbsent(key, k -> new ArrayDeque<>());
    if (last.size() == TOLD) {
      last.remove();
    }
    last.add(source.length() <= 200 ? source : source.substring(0, 200) + "…");
  }

  private void note(String text) {
    if (history.size() == HISTORY) {
      history.remove();
    }
    history.add(text);
  }

  private void checkOrder(Change change) {
    JsonNode offset = change.json().get("offset");
    if (offset == null) {
      return; // a deletion that no record stands for
    }
    int partition = change.json().path("partition").asInt(-1);
    Place now = new Place(partition, offset.longValue());
    Place before = seen.computeIfAbsent(change.key(), key -> new HashMap<>()).put(partition, now);
    if (before != null && before.offset() > now.offset()) {
      breaches.add("backwards from offset " + before.offset() + ": " + change.source());
    }
  }
}
