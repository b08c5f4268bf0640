package io.tablecast.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * A 64-bit hash of keys, by folded multiplication. It is keyed with random numbers that differ per
 * table and process, so that nobody can choose keys that collide. Immutable; any thread.
 */
final class KeyHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long seed;
  private final long multiplier;

  KeyHash() {
    // Not static: a native image runs static initializers when it is built.
    SecureRandom random = new SecureRandom();
    seed = random.nextLong();
    multiplier = random.nextLong() | 1;
  }

  long of(byte[] key) {
    return of(key, 0, key.length);
  }

  long of(byte[] array, int from, int length) {
    long hash = seed ^ length;
    int at = from;
    int end = from + length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = fold(hash ^ (long) LONG.get(array, at));
    }
    if (at < end) {
      hash = fold(hash ^ rest(array, at, end));
    }
    return fold(hash + seed);
  }

  private static long rest(byte[] array, int from, int end) {
    long rest = 0;
    for (int at = end - 1; at >= from; at--) {
      rest = rest << 8 | array[at] & 0xff;
    }
    return rest;
  }

  private long fold(long value) {
    return Math.multiplyHigh(value, multiplier) ^ value * multiplier;
  }
}
