package io.tablecast.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LimitsTest {
  private static final long START = Long.MAX_VALUE - 5; // nanoTime may wrap

  @Test
  void aBurstOfTwiceTheRatePasses() {
    RateLimit limit = new RateLimit(50, START);
    assertEquals(100, taken(limit, START, 500));
  }

  @Test
  void theRatePassesForever() {
    RateLimit limit = new RateLimit(50, START);
    long now = START;
    for (int i = 0; i < 10_000; i++) {
      now += TimeUnit.MILLISECONDS.toNanos(20);
      assertTrue(limit.take(now));
    }
  }

  @Test
  void aSecondFillsTheRateAgain() {
    RateLimit limit = new RateLimit(50, START);
    taken(limit, START, 500);
    assertEquals(50, taken(limit, START + TimeUnit.SECONDS.toNanos(1), 500));
  }

  @Test
  void aLongRestSavesNoMoreThanTheBurst() {
    RateLimit limit = new RateLimit(50, START);
    assertEquals(100, taken(limit, START + TimeUnit.HOURS.toNanos(1), 500));
  }

  @Test
  void theWindowLimitCountsAnyMinute() {
    WindowLimit limit = new WindowLimit(2);
    long late = START + TimeUnit.SECONDS.toNanos(59);
    assertTrue(limit.take(START));
    assertTrue(limit.take(late));
    assertFalse(limit.take(late));
    assertTrue(limit.take(START + TimeUnit.SECONDS.toNanos(60)));
    assertFalse(limit.take(START + TimeUnit.SECONDS.toNanos(61)));
  }

  private static int taken(RateLimit limit, long now, int tries) {
    int taken = 0;
    for (int i = 0; i < tries; i++) {
      taken += limit.take(now) ? 1 : 0;
    }
    return taken;
  }
}
