package io.tablecast.fanout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A set of subscriptions with cheap removal: each knows its index in the set. A subscription is in
 * at most one set of each kind. Hub thread.
 */
final class Members {
  private static final int OF_GROUP = 0;
  private static final int OF_FAN = 1;
  private static final int WAITING = 2;
  private static final int KINDS = 3;

  private final List<Subscription> list = new ArrayList<>();

  /** Which of {@link Subscription#places} holds a member's index in this set. */
  private final int kind;

  private Members(int kind) {
    this.kind = kind;
  }

  static Members ofGroup() {
    return new Members(OF_GROUP);
  }

  static Members ofFan() {
    return new Members(OF_FAN);
  }

  /** Of those that wait for something: a subscription waits for one thing at a time. */
  static Members waiting() {
    return new Members(WAITING);
  }

  /** The places of a subscription that is in no set: -1 for each kind. */
  static int[] noPlaces() {
    int[] places = new int[KINDS];
    Arrays.fill(places, -1);
    return places;
  }

  void add(Subscription s) {
    if (s.places[kind] < 0) {
      s.places[kind] = list.size();
      list.add(s);
    }
  }

  boolean contains(Subscription s) {
    int index = s.places[kind];
    // It may be its index in another set of the kind.
    return index >= 0 && index < list.size() && list.get(index) == s;
  }

  /** Whether it was in this set. */
  boolean remove(Subscription s) {
    if (!contains(s)) {
      return false;
    }
    int index = s.places[kind];
    Subscription last = list.remove(list.size() - 1);
    if (last != s) {
      list.set(index, last);
      last.places[kind] = index;
    }
    s.places[kind] = -1;
    return true;
  }

  int size() {
    return list.size();
  }

  Subscription get(int index) {
    return list.get(index);
  }

  /** Empties the set and gives each of those that were in it, which may go back in. */
  void drain(Consumer<Subscription> action) {
    List<Subscription> all = List.copyOf(list);
    clear();
    all.forEach(action);
  }

  void clear() {
    for (Subscription s : list) {
      s.places[kind] = -1;
    }
    list.clear();
  }
}
