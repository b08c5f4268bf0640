package io.tablecast.socket;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/** At most so many in any minute. Not safe for several threads. */
final class WindowLimit {
  private static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final int perMinute;
  private final ArrayDeque<Long> times = new ArrayDeque<>();

  WindowLimit(int perMinute) {
    this.perMinute = perMinute;
  }

  /** Counts one; false when that was one too many. */
  boolean take(long nanoTime) {
    while (!times.isEmpty() && nanoTime - times.getFirst() >= WINDOW_NANOS) {
      times.removeFirst();
    }
    if (times.size() >= perMinute) {
      return false;
    }
    times.addLast(nanoTime);
    return true;
  }
}
