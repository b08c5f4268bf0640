package io.tablecast.fanout;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A set of subscriptions with cheap removal: each knows its place. A subscription is in at most one
 * of each kind.
 */
final class Members {
  private final List<Subscription> list = new ArrayList<>();
  private final Place place;

  /** Where a subscription keeps its index in this set, -1 while it is not in it. */
  interface Place {
    int get(Subscription s);

    void set(Subscription s, int index);
  }

  Members(Place place) {
    this.place = place;
  }

  void add(Subscription s) {
    if (place.get(s) < 0) {
      place.set(s, list.size());
      list.add(s);
    }
  }

  boolean contains(Subscription s) {
    int index = place.get(s);
    // It may be its index in another set of the kind.
    return index >= 0 && index < list.size() && list.get(index) == s;
  }

  /** Whether it was in this set. */
  boolean remove(Subscription s) {
    if (!contains(s)) {
      return false;
    }
    int index = place.get(s);
    Subscription last = list.remove(list.size() - 1);
    if (last != s) {
      list.set(index, last);
      place.set(last, index);
    }
    place.set(s, -1);
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
      place.set(s, -1);
    }
    list.clear();
  }
}
