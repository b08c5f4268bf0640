package io.tablecast.table;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a reader of the whole topic would hold: each partition folded, then the newest timestamp.
 */
final class TopicModel {
  record Entry(int partition, long offset, long timestamp, @Nullable String value) {}

  private final Map<String, TreeMap<Integer, Entry>> byKey = new LinkedHashMap<>();

  void apply(int partition, long offset, long timestamp, String key, @Nullable String value) {
    byKey
        .computeIfAbsent(key, k -> new TreeMap<>())
        .put(partition, new Entry(partition, offset, timestamp, value));
  }

  void advanceStart(int partition, long start) {
    for (TreeMap<Integer, Entry> entries : byKey.values()) {
      Entry entry = entries.get(partition);
      if (entry != null && entry.offset() < start) {
        entries.remove(partition);
      }
    }
    byKey.values().removeIf(Map::isEmpty);
  }

  /** Forgets the tombstones that have been compacted away: a table may do so, if it says so. */
  void compact(Predicate<String> isGone) {
    byKey
        .entrySet()
        .removeIf(
            e ->
                e.getValue().size() == 1
                    && e.getValue().firstEntry().getValue().value() == null
                    && isGone.test(e.getKey()));
  }

  void clear() {
    byKey.clear();
  }

  /** The values, each as the record that holds it. */
  Map<String, Entry> fold() {
    Map<String, Entry> folded = new LinkedHashMap<>();
    byKey.forEach(
        (key, entries) ->
            entries.values().stream()
                .max(Comparator.comparingLong(Entry::timestamp).thenComparingInt(Entry::partition))
                .filter(e -> e.value() != null)
                .ifPresent(e -> folded.put(key, e)));
    return folded;
  }
}
