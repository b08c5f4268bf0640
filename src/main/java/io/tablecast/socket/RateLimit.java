package io.tablecast.socket;

/**
 * A token bucket: so many per second on average, and twice that at once. Not safe for several
 * threads.
 */
final class RateLimit {
  private static final double NANOS_PER_SECOND = 1e9;

  private final int perSecond;
  private double tokens;
  private long filledAt;

  RateLimit(int perSecond, long nanoTime) {
    this.perSecond = perSecond;
    tokens = burst();
    filledAt = nanoTime;
  }

  /** Takes one; false when there is none. */
  boolean take(long nanoTime) {
    tokens = Math.min(burst(), tokens + (nanoTime - filledAt) / NANOS_PER_SECOND * perSecond);
    filledAt = nanoTime;
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }

  private double burst() {
    return 2.0 * perSecond;
  }
}
