package io.tablecast.fanout;

import io.tablecast.table.RecordView;
import io.tablecast.wire.Utf8;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Finds what is registered for a key: by the key itself, or by a prefix of it. A look-up costs one
 * probe for the key and one for each length of prefix in use, however many are registered that
 * don't match. Hub thread.
 *
 * @param <T> what is registered
 */
final class KeyIndex<T> {
  private final Map<Bytes, Registered<T>> keys = new HashMap<>();
  private final TreeMap<Integer, Map<Bytes, Registered<T>>> prefixes = new TreeMap<>();
  private final Bytes probe = Bytes.probe();

  void add(Filter filter, T value) {
    for (Bytes k : filter.keys()) {
      add(keys, k, value);
    }
    for (Bytes p : filter.prefixes()) {
      add(prefixes.computeIfAbsent(p.length(), l -> new HashMap<>()), p, value);
    }
  }

  void remove(Filter filter, T value) {
    for (Bytes k : filter.keys()) {
      remove(keys, k, value);
    }
    for (Bytes p : filter.prefixes()) {
      Map<Bytes, Registered<T>> ofLength = prefixes.get(p.length());
      if (ofLength != null) {
        remove(ofLength, p, value);
        if (ofLength.isEmpty()) {
          prefixes.remove(p.length());
        }
      }
    }
  }

  boolean isEmpty() {
    return keys.isEmpty() && prefixes.isEmpty();
  }

  /**
   * Gives what matches the record's key; a value may be given more than once. Keys that are not
   * text match nothing.
   */
  void match(RecordView r, Consumer<T> found) {
    byte[] array = r.array();
    int offset = r.keyOffset();
    int length = r.keyLength();
    int hash = 0;
    int hashed = 0;
    for (Map.Entry<Integer, Map<Bytes, Registered<T>>> e : prefixes.entrySet()) {
      int wanted = e.getKey();
      if (wanted > length) {
        break;
      }
      hash = hash(hash, array, offset + hashed, offset + wanted);
      hashed = wanted;
      Registered<T> list = e.getValue().get(probe.set(array, offset, wanted, hash));
      if (list != null && Utf8.isUtf8(array, offset, length)) {
        list.forEach(found);
      }
    }
    if (!keys.isEmpty()) {
      hash = hash(hash, array, offset + hashed, offset + length);
      Registered<T> list = keys.get(probe.set(array, offset, length, hash));
      if (list != null) {
        list.forEach(found);
      }
    }
  }

  private static int hash(int start, byte[] array, int from, int to) {
    int h = start;
    for (int i = from; i < to; i++) {
      h = Bytes.step(h, array[i]);
    }
    return h;
  }

  private void add(Map<Bytes, Registered<T>> map, Bytes at, T value) {
    map.merge(at, new Registered<>(value, null), (old, one) -> new Registered<>(value, old));
  }

  private void remove(Map<Bytes, Registered<T>> map, Bytes at, T value) {
    map.computeIfPresent(at, (k, list) -> list.without(value));
  }
}
