package io.tablecast.table;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys that are known in more than one partition. Rare, so these are plain objects. Writer
 * only.
 */
final class ContestedKeys implements Iterable<Candidates> {
  /** Compares keys by content; the hash is the table's own. */
  private record Key(byte[] bytes, long hash) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && hash == key.hash && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(hash);
    }
  }

  private final Map<Key, Candidates> byKey = new LinkedHashMap<>();

  boolean isEmpty() {
    return byKey.isEmpty();
  }

  int size() {
    return byKey.size();
  }

  @Nullable Candidates find(byte[] key, long hash) {
    return byKey.isEmpty() ? null : byKey.get(new Key(key, hash));
  }

  /** The key must not be there. */
  Candidates add(byte[] key, long hash) {
    byte[] copy = key.clone();
    Candidates candidates = new Candidates(copy);
    byKey.put(new Key(copy, hash), candidates);
    return candidates;
  }

  /** In the order in which they were found to be contested; allows to remove. */
  @Override
  public Iterator<Candidates> iterator() {
    return byKey.values().iterator();
  }

  void clear() {
    byKey.clear();
  }
}
