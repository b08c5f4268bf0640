package io.tablecast.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The writer going by in the middle of a look-up, which threads alone rarely bring about. */
class KeyIndexTest {
  private static final byte[] KEY = {1, 2, 3};
  private static final Forgotten NONE_LOST = new Forgotten();

  private final KeyHash hashes = new KeyHash();
  private final long hash = hashes.of(KEY);
  private final KeyIndex index = new KeyIndex();
  private final Log log = new Log(1024, () -> 0, new Rewrite());
  private final RecordView view = new RecordView();
  private final AtomicBoolean once = new AtomicBoolean();

  private long append(byte[] key) {
    log.makeRoom(key.length, 0);
    return log.append(0, 0, 0, 0, key, key);
  }

  /** A look-up during which the record that the slot named was superseded and cleaned away. */
  private long findWhile(Runnable theWriterGoesBy) {
    return index.find(
        KEY,
        hash,
        (sequence, into) -> {
          if (once.compareAndSet(false, true)) {
            theWriterGoesBy.run();
            return false;
          }
          return log.segments().locate(sequence, into);
        },
        view);
  }

  @Test
  void aSlotThatChangesIsReadAgain() {
    index.insert(hash, append(KEY));
    long second = append(KEY);
    long found = findWhile(() -> index.replace(index.position(hash, 1), hash, second));
    assertEquals(second, found);
  }

  @Test
  void anArrayThatIsReplacedIsReadAgain() {
    index.insert(hash, append(KEY));
    long second = append(KEY);
    Segment segment = log.segments().get(0);
    long found =
        findWhile(
            () -> {
              segment.locate(1, view);
              log.kill(segment, view, RecordFormat.DEAD);
              index.rebuild(log.segments(), hashes, NONE_LOST, 0);
            });
    assertEquals(second, found);
  }

  @Test
  void aDroppedDeletionIsNoResult() {
    index.insert(hash, append(KEY));
    assertEquals(0, findWhile(() -> index.remove(index.position(hash, 1))));
    assertEquals(0, index.size());
  }

  @Test
  void removedSlotsAreUsedAgainAndDoNotMakeItGrow() {
    for (int i = 0; i < 10_000; i++) {
      byte[] key = {(byte) i, (byte) (i >> 8)};
      long h = hashes.of(key);
      if (index.isFull()) {
        index.rebuild(Segments.NONE, hashes, NONE_LOST, 0);
      }
      index.insert(h, i + 1);
      index.remove(index.position(h, i + 1));
    }
    assertEquals(0, index.size());
    assertTrue(index.bytes() < 1_000);
  }

  /** Appends keys until there are so many, each expected to be followed by others. */
  private int rebuildsUntil(int keys, int expected) {
    int rebuilds = 0;
    for (int i = index.size(); i < keys; i++) {
      byte[] key = {(byte) i, (byte) (i >> 8), (byte) (i >> 16)};
      long sequence = append(key);
      if (index.isFull()) {
        index.rebuild(log.segments(), hashes, NONE_LOST, expected);
        rebuilds++;
      } else {
        index.insert(hashes.of(key), sequence);
      }
    }
    return rebuilds;
  }

  @Test
  void growsInFewStepsForKeysThatAreExpected() {
    int keys = 50_000;
    int expecting = rebuildsUntil(keys, keys);
    assertFalse(index.isLavish());
    index.clear();
    log.clear();
    int unsuspecting = rebuildsUntil(keys, 0);
    assertFalse(index.isLavish());
    assertTrue(2 * expecting < unsuspecting, expecting + " and " + unsuspecting);
  }

  @Test
  void growsOnlySoFarForAnyExpectationAndGivesBackWhatWasTooMuch() {
    int keys = 0;
    while (!index.isLavish()) {
      rebuildsUntil(++keys, Integer.MAX_VALUE);
    }
    long most = index.bytes();
    assertTrue(most <= keys * 5L * Long.BYTES, most + " bytes");
    index.rebuild(log.segments(), hashes, NONE_LOST, 0);
    assertFalse(index.isLavish());
    assertTrue(index.bytes() < most / 2, index.bytes() + " of " + most + " bytes");
    assertEquals(keys, index.size());
  }

  @Test
  void theLeastIndexIsNotLavish() {
    assertFalse(index.isLavish());
    rebuildsUntil(1, 0);
    assertFalse(index.isLavish());
  }

  @Test
  void hashesUseEveryByteAndDifferBetweenTables() {
    byte[] key = new byte[37];
    long plain = hashes.of(key);
    for (int i = 0; i < key.length; i++) {
      key[i] = 1;
      assertTrue(hashes.of(key) != plain, "byte " + i);
      key[i] = 0;
      assertTrue(hashes.of(key, 0, i) != hashes.of(key, 0, i + 1), "length " + i);
    }
    assertTrue(new KeyHash().of(key) != plain);
  }
}
