package io.tablecast.fanout;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A linked list of what is registered for one key: mostly of one element, and then it costs no
 * array. Immutable.
 */
record Registered<T>(T value, @Nullable Registered<T> rest) {
  void forEach(Consumer<T> action) {
    for (Registered<T> r = this; r != null; r = r.rest) {
      action.accept(r.value);
    }
  }

  /** The list without this value, null when nothing is left. */
  @Nullable Registered<T> without(T gone) {
    Registered<T> left = null;
    for (Registered<T> r = this; r != null; r = r.rest) {
      if (r.value != gone) {
        left = new Registered<>(r.value, left);
      }
    }
    return left;
  }
}
