package io.tablecast.fanout;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which keys a subscription is for, in one form for all ways of asking for the same: a prefix
 * within another one and a key within a prefix are left out. Immutable.
 *
 * @param keys these keys match
 * @param prefixes keys that start with one of these match
 */
record Filter(Set<Bytes> keys, Set<Bytes> prefixes) {
  /** Every key matches, those that are not text too. */
  static final Filter ALL = new Filter(Set.of(), Set.of());

  static Filter of(List<String> keys, List<String> prefixes) {
    if (keys.isEmpty() && prefixes.isEmpty()) {
      return ALL;
    }
    TreeSet<Bytes> shortest = new TreeSet<>();
    for (Bytes p : sorted(prefixes)) {
      addUnlessCovered(p, shortest, shortest);
    }
    Set<Bytes> exact = new HashSet<>();
    for (Bytes k : sorted(keys)) {
      addUnlessCovered(k, shortest, exact);
    }
    return new Filter(Set.copyOf(exact), Set.copyOf(shortest));
  }

  /**
   * A prefix sorts before what it is a prefix of, with nothing but what it covers between: the
   * floor is the one to ask.
   */
  private static void addUnlessCovered(Bytes b, TreeSet<Bytes> shortest, Set<Bytes> to) {
    Bytes floor = shortest.floor(b);
    if (floor == null || !b.startsWith(floor)) {
      to.add(b);
    }
  }

  boolean all() {
    return keys.isEmpty() && prefixes.isEmpty();
  }

  private static TreeSet<Bytes> sorted(List<String> texts) {
    TreeSet<Bytes> set = new TreeSet<>();
    for (String t : texts) {
      set.add(Bytes.of(t));
    }
    return set;
  }
}
