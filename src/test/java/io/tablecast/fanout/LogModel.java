package io.tablecast.fanout;

import io.tablecast.token.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The log of a topic as a list, and what a reader from its start would hold. */
final class LogModel {
  record Entry(int partition, long offset, long timestamp, String key, @Nullable String value) {}

  final List<List<Entry>> partitions = new ArrayList<>();
  final long[] starts;

  LogModel(int count) {
    for (int i = 0; i < count; i++) {
      partitions.add(new ArrayList<>());
    }
    starts = new long[count];
  }

  Entry append(int partition, long timestamp, String key, @Nullable String value) {
    List<Entry> log = partitions.get(partition);
    Entry e = new Entry(partition, log.size(), timestamp, key, value);
    log.add(e);
    return e;
  }

  /** The fold of what lies before a position. */
  Map<String, String> at(Token token) {
    Map<String, Entry> newest = new HashMap<>();
    for (int p = 0; p < token.partitions().size(); p++) {
      Token.Position position = token.partitions().get(p);
      Map<String, Entry> ofPartition = new HashMap<>();
      for (Entry e : partitions.get(p)) {
        if (e.offset() >= position.start() && e.offset() < position.next()) {
          ofPartition.put(e.key(), e);
        }
      }
      ofPartition
          .values()
          .forEach(e -> newest.merge(e.key(), e, (a, b) -> b.timestamp() >= a.timestamp() ? b : a));
    }
    Map<String, String> map = new TreeMap<>();
    newest.values().stream()
        .filter(e -> e.value() != null)
        .forEach(e -> map.put(e.key(), e.value()));
    return map;
  }
}
