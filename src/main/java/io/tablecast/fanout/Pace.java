package io.tablecast.fanout;

/**
 * The least time between the starts of deliveries: what waits when one starts may take several
 * messages, what comes after waits for the next. Hub thread.
 */
final class Pace {
  private final long interval;
  private long next = Long.MIN_VALUE;
  private long runEnd;

  /**
   * @param interval ms, 0 for none
   */
  Pace(long interval) {
    this.interval = interval;
  }

  /**
   * Whether a client at this position may be told more now. When a delivery starts, it goes as far
   * as the end is now.
   */
  boolean mayDeliver(long now, long position, long end) {
    if (interval == 0 || position < runEnd) {
      return true;
    }
    if (now < next) {
      return false;
    }
    next = interval > Long.MAX_VALUE - now ? Long.MAX_VALUE : now + interval;
    runEnd = end;
    return true;
  }

  /** Ms until the next delivery may start. */
  long waitMillis(long now) {
    return Math.max(0, next - now);
  }
}
