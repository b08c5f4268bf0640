package io.tablecast.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.tablecast.testkit.Message.Change;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What a client makes of the messages of one subscription with {@code meta}, as the protocol says, and what it has to
 * complain about. One thread.
 */
public final class TableModel {
  /** Where a change stood: log order within a partition is what must never be reversed. */
  private record Place(int partition, long offset) {}

  private final Map<Bytes, Bytes> map = new HashMap<>();
  private final Map<Bytes, Map<Integer, Place>> seen = new HashMap<>();
  private final Collection<String> keys;
  private final Collection<String> prefixes;
  private final List<String> history = new ArrayList<>();
  private final List<String> breaches = new ArrayList<>();
  private boolean started;
  private boolean live;
  private @Nullable String token;

  /** A model of a subscription with this filter; two empty collections match every key. */
  public TableModel(Collection<String> keys, Collection<String> prefixes) {
    this.keys = List.copyOf(keys);
    this.prefixes = List.copyOf(prefixes);
  }

  /** Applies one message. */
  public void apply(Message message) {
    if (!message.type().equals("changes")) {
      history.add(message.text());
    }
    switch (message.type()) {
      case "subscribed" -> start(message);
      case "changes" -> message.changes().forEach(change -> apply(change, message));
      case "live" -> goLive(message);
      case "bookmark" -> {}
      default -> breaches.add("unexpected: " + message);
    }
    JsonNode newToken = message.json().get("token");
    if (newToken != null) {
      token = newToken.textValue();
    }
  }

  /** The connection is gone: what the client holds stays, and the next message must be {@code subscribed}. */
  public void disconnected() {
    started = false;
    live = false;
  }

  /** The keys of the filter. */
  public Collection<String> keys() {
    return keys;
  }

  /** The prefixes of the filter. */
  public Collection<String> prefixes() {
    return prefixes;
  }

  /** Whether {@code live} has come. */
  public boolean live() {
    return live;
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
    } else if (!mode.equals("resume") && !mode.equals("live")) {
      breaches.add("unknown mode: " + message);
    }
    started = true;
    live = false;
  }

  private void goLive(Message message) {
    if (!started || live) {
      breaches.add("live out of place: " + message);
    }
    live = true;
  }

  private void apply(Change change, Message message) {
    if (!started) {
      breaches.add("changes before subscribed: " + message);
    }
    if (!matches(change.key())) {
      breaches.add("outside the filter: " + change.source());
    }
    checkOrder(change);
    Bytes value = change.value();
    if (value == null) {
      map.remove(change.key());
    } else {
      map.put(change.key(), value);
    }
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
