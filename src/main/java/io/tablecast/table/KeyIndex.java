package io.tablecast.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * From key to the sequence number of its newest record: open addressing with linear probing in one
 * array of longs. A slot holds 48 bits of sequence number and 16 bits of the key's hash. Since it
 * does not hold an address, records can be moved without touching it.
 *
 * <p>The writer alone changes it; {@link #find} is for any thread. A slot is written with release
 * after its record is complete, and read with acquire.
 */
final class KeyIndex {
  /** What readers find records with. */
  interface Records {
    /** Shows the record with a sequence number, dead or alive; false if it is not there. */
    boolean locate(long sequence, RecordView into);
  }

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle SLOTS;

  static {
    try {
      SLOTS = MethodHandles.lookup().findVarHandle(KeyIndex.class, "slots", long[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int PRINT_BITS = 16;
  private static final long PRINT = (1L << PRINT_BITS) - 1;
  private static final long EMPTY = 0;

  /** No record has sequence number 0. */
  private static final long REMOVED = 1;

  private static final int LEAST = 32;
  private static final double FULL = 0.8;

  /** Load right after growing: small steps, since a table pays for its slack all the time. */
  private static final double ROOMY = 0.6;

  /** The most that it grows by, for keys that are expected. */
  private static final int MOST_GROWTH = 4;

  /** Load when all keys that are expected are there: some more may come. */
  private static final double ENOUGH = 0.7;

  /** Load below which it is worth to be made smaller. */
  private static final double LAVISH = 0.4;

  /** Keys from which on the steps are larger, for each of them moves all of these. */
  private static final int MANY = 100_000;

  private static final double ROOMY_OF_MANY = 0.5;

  private long[] slots = new long[LEAST];

  /** Slots that are not empty. */
  private int used;

  private int removed;

  /** The sequence number in the slot of this key; 0 if there is none. Any thread. */
  long find(byte[] key, long hash, Records records, RecordView scratch) {
    while (true) {
      long[] in = slots();
      long found = find(in, key, hash, records, scratch);
      if (found >= 0) {
        return found;
      }
    }
  }

  /** Like the above; -1 when the writer went by, and it must be done again. */
  private long find(long[] in, byte[] key, long hash, Records records, RecordView scratch) {
    for (int at = home(hash, in.length); ; at = after(at, in.length)) {
      long slot = (long) SLOT.getAcquire(in, at);
      if (slot == EMPTY) {
        return 0;
      }
      if (!matches(slot, hash)) {
        continue;
      }
      if (!records.locate(slot >>> PRINT_BITS, scratch)) {
        if ((long) SLOT.getAcquire(in, at) != slot || slots() != in) {
          return -1;
        }
      } else if (scratch.hasKey(key)) {
        return slot >>> PRINT_BITS;
      }
    }
  }

  private long[] slots() {
    return (long[]) SLOTS.getAcquire(this);
  }

  /** For the writer: where this key is; negative if nowhere. The view then shows its record. */
  int position(byte[] key, long hash, Records records, RecordView into) {
    long[] in = slots;
    for (int at = home(hash, in.length); in[at] != EMPTY; at = after(at, in.length)) {
      if (matches(in[at], hash)
          && records.locate(in[at] >>> PRINT_BITS, into)
          && into.hasKey(key)) {
        return at;
      }
    }
    return -1;
  }

  /** For the writer: where this sequence number is; negative if nowhere. */
  int position(long hash, long sequence) {
    long[] in = slots;
    long wanted = slot(hash, sequence);
    for (int at = home(hash, in.length); in[at] != EMPTY; at = after(at, in.length)) {
      if (in[at] == wanted) {
        return at;
      }
    }
    return -1;
  }

  /** For the writer: the sequence number at a position. */
  long sequence(int position) {
    return slots[position] >>> PRINT_BITS;
  }

  /** Lets the slot at a position lead to the key's next record. */
  void replace(int position, long hash, long sequence) {
    SLOT.setRelease(slots, position, slot(hash, sequence));
  }

  /** The key must not be there, and {@link #isFull} must be false. */
  void insert(long hash, long sequence) {
    int at = free(slots, hash);
    if (slots[at] == REMOVED) {
      removed--;
    } else {
      used++;
    }
    SLOT.setRelease(slots, at, slot(hash, sequence));
  }

  private static int free(long[] in, long hash) {
    int at = home(hash, in.length);
    while (in[at] != EMPTY && in[at] != REMOVED) {
      at = after(at, in.length);
    }
    return at;
  }

  void remove(int position) {
    removed++;
    SLOT.setRelease(slots, position, REMOVED);
  }

  /** Whether {@link #rebuild} must come before the next insertion. */
  boolean isFull() {
    return used + 1 > (int) (slots.length * FULL);
  }

  int size() {
    return used - removed;
  }

  /**
   * Brings the slot where the search for a key begins into the processor's cache: of several keys
   * that are touched one after the other, the waits for memory overlap.
   *
   * @return what is there, so that the compiler can't leave it out
   */
  long touch(long hash) {
    return slots[home(hash, slots.length)];
  }

  /** Whether it has much more room than its keys need, once no more are expected. */
  boolean isLavish() {
    return slots.length > LEAST && size() < LAVISH * slots.length;
  }

  /**
   * Replaces the array by one that has room, filled with all records of a log that are alive, and
   * with those that readers are to find though the log has lost them.
   *
   * @param lost of each the hash of its key; all different from those in the log
   * @param expected how many keys there will be, at a guess; less than there are for no guess
   */
  void rebuild(Segments segments, KeyHash hashes, Forgotten lost, long expected) {
    double load = size() < MANY ? ROOMY : ROOMY_OF_MANY;
    double wanted =
        Math.max(size() / load, Math.min(expected / ENOUGH, size() * MOST_GROWTH / FULL));
    long[] next = new long[Math.max(LEAST, (int) Math.min(wanted, Integer.MAX_VALUE - 8))];
    RecordView view = new RecordView();
    int count = 0;
    for (int i = 0; i < segments.count(); i++) {
      count += fill(next, segments.get(i), hashes, view);
    }
    lost.each((hash, sequence) -> next[free(next, hash)] = slot(hash, sequence));
    used = count + lost.size();
    removed = 0;
    SLOTS.setRelease(this, next);
  }

  private static int fill(long[] next, Segment segment, KeyHash hashes, RecordView view) {
    int count = 0;
    long previous = segment.firstSequence;
    int limit = segment.written();
    for (int at = 0; at < limit; at = view.end()) {
      view.show(segment, at, previous);
      previous = view.sequence();
      if (!view.superseded()) {
        long hash = hashes.of(view.array(), view.keyOffset(), view.keyLength());
        next[free(next, hash)] = slot(hash, previous);
        count++;
      }
    }
    return count;
  }

  void clear() {
    used = 0;
    removed = 0;
    SLOTS.setRelease(this, new long[LEAST]);
  }

  long bytes() {
    return (long) Long.BYTES * slots.length;
  }

  private static long slot(long hash, long sequence) {
    return sequence << PRINT_BITS | hash & PRINT;
  }

  private static boolean matches(long slot, long hash) {
    return (slot & PRINT) == (hash & PRINT) && slot != REMOVED;
  }

  /** By the upper half of the hash; the print is in the lower. */
  private static int home(long hash, int length) {
    return (int) ((hash >>> 32) * length >>> 32);
  }

  private static int after(int at, int length) {
    return at + 1 == length ? 0 : at + 1;
  }
}
