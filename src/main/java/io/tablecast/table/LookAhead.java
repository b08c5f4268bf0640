package io.tablecast.table;

/**
 * The keys that come next, with their hashes. Looking up one key after the other costs a wait for
 * memory each, since the index of a large table is in no cache; of keys that are touched one right
 * after the other the waits overlap. Writer only.
 */
final class LookAhead {
  /** About as many as a processor can wait for at the same time. */
  static final int MOST = 16;

  private final KeyIndex index;
  private final KeyHash hashes;
  private final byte[][] keys = new byte[MOST][];
  private final long[] known = new long[MOST];

  /** How many are here, and how many of them have been asked for or passed over. */
  private int count;

  private int taken;

  /** What was touched, so that the compiler can't leave it out. */
  @SuppressWarnings("UnusedVariable")
  private long touched;

  LookAhead(KeyIndex index, KeyHash hashes) {
    this.index = index;
    this.hashes = hashes;
  }

  /** Of more than {@link #MOST} the rest is passed over. */
  void add(byte[] key) {
    if (taken == count) {
      taken = 0;
      count = 0;
    }
    if (count < MOST) {
      long hash = hashes.of(key);
      touched ^= index.touch(hash);
      keys[count] = key;
      known[count++] = hash;
    }
  }

  /** The key's hash; those that were added before it are forgotten. */
  @SuppressWarnings("ReferenceEquality") // an equal key has the same hash, but that is not needed
  long hash(byte[] key) {
    while (taken < count) {
      int at = taken++;
      if (keys[at] == key) {
        return known[at];
      }
    }
    return hashes.of(key);
  }
}
