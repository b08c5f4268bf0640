package io.tablecast.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random histories against a model that folds maps; the seed is in each failure's message. */
class TableModelTest {
  private static final int STEPS = 4_000;

  /** What a history is made of. */
  private record Shape(
      int keys, int partitions, boolean keysMove, long retention, int valueBytes) {}

  @ParameterizedTest
  @CsvSource({
    "8, 1, false, 0, 10",
    "8, 3, true, 0, 10",
    "50, 1, false, 1000000, 30",
    "50, 3, true, 20, 30",
    "400, 4, false, 50, 40",
    "400, 4, true, 0, 300",
    "3, 2, true, 5, 1500",
  })
  void equalsTheModelAtEveryPublication(
      int keys, int partitions, boolean keysMove, long retention, int valueBytes) {
    Shape shape = new Shape(keys, partitions, keysMove, retention, valueBytes);
    for (long seed = 1; seed <= 12; seed++) {
      run(seed, shape);
    }
  }

  @Test
  void equalsTheModelForFreshSeeds() {
    Random seeds = new Random();
    for (int i = 0; i < 10; i++) {
      run(seeds.nextLong(), new Shape(60, 3, true, 30, 60));
      run(seeds.nextLong(), new Shape(60, 3, false, 0, 60));
    }
  }

  private static void run(long seed, Shape shape) {
    try {
      new History(seed, shape).run();
    } catch (Throwable e) {
      throw new AssertionError("seed " + seed + ", " + shape, e);
    }
  }

  private static final class History {
    private final Random random;
    private final Shape shape;
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final Table table;
    private final TableWriter writer;
    private final TopicModel model = new TopicModel();
    private final RecordView view = new RecordView();
    private final List<Follower> followers = new ArrayList<>();
    private final long[] offsets;
    private final long[] starts;

    /** Keys that the writer was told of. */
    private final Deque<byte[]> ahead = new ArrayDeque<>();

    private Map<String, TopicModel.Entry> published = Map.of();
    private Version version;

    /** Of each key that has not changed since the publication its record. */
    private final Map<String, Long> sequences = new HashMap<>();

    History(long seed, Shape shape) {
      this.random = new Random(seed);
      this.shape = shape;
      double dirtyRatio = new double[] {0, 0.3, 0.6, 1}[random.nextInt(4)];
      table = new Table("t", new TableSettings(1024, dirtyRatio), clock::get);
      writer = table.writer();
      offsets = new long[shape.partitions()];
      starts = new long[shape.partitions()];
      version = table.version();
      for (int i = 0; i < 4; i++) {
        followers.add(new Follower(table));
      }
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      publish();
      for (Follower follower : followers) {
        assertTrue(follower.read(Integer.MAX_VALUE));
        assertEquals(published, follower.map());
      }
    }

    private void step() {
      int dice = random.nextInt(1_000);
      clock.addAndGet(random.nextInt(3));
      if (dice < 600) {
        write(random.nextInt(shape.valueBytes() + 1));
      } else if (dice < 750) {
        write(-1);
      } else if (dice < 850) {
        clean();
      } else if (dice < 860) {
        advanceStart();
      } else if (dice < 861) {
        startOver();
      } else if (dice < 880) {
        lookAhead();
      } else if (dice < 890) {
        // Right guesses and wrong ones.
        writer.expect(random.nextInt(1_000), random.nextInt(2) * random.nextInt(100_000));
      } else if (dice < 895) {
        checkThatWhatIsPublishedIsFound();
      } else if (dice < 930) {
        publish();
      } else {
        follow();
      }
    }

    /** Now and then of more keys than there is room for, and before the last ones were applied. */
    private void lookAhead() {
      for (int i = random.nextInt(2 * TableWriter.LOOK_AHEAD); i > 0; i--) {
        byte[] key = key(random.nextInt(shape.keys())).getBytes(UTF_8);
        ahead.add(key);
        writer.lookAhead(key);
      }
    }

    private static String key(int number) {
      return number == 0 ? "" : "key" + number;
    }

    /** The key that was looked ahead for, or a later one, or the same in another array, or any. */
    private byte[] nextKey() {
      int dice = random.nextInt(20);
      if (dice == 0) {
        ahead.poll();
      }
      byte[] next = dice == 1 ? null : ahead.poll();
      if (next == null) {
        return key(random.nextInt(shape.keys())).getBytes(UTF_8);
      }
      return dice == 2 ? next.clone() : next;
    }

    private void write(int valueBytes) {
      byte[] bytes = nextKey();
      String key = new String(bytes, UTF_8);
      int number = key.isEmpty() ? 0 : Integer.parseInt(key.substring("key".length()));
      int partition =
          shape.keysMove() ? random.nextInt(shape.partitions()) : number % shape.partitions();
      long timestamp = random.nextInt(20) == 0 ? -1 : clock.get() + random.nextInt(40);
      long offset = offsets[partition];
      offsets[partition] += 1 + random.nextInt(3);
      String value = valueBytes < 0 ? null : (offset + "v".repeat(valueBytes));
      sequences.remove(key);
      model.apply(partition, offset, timestamp, key, value);
      writer.apply(
          partition, offset, timestamp, bytes, value == null ? null : value.getBytes(UTF_8));
    }

    private void clean() {
      int steps = random.nextInt(4);
      while (steps-- > 0 && writer.clean(shape.retention())) {}
      forget();
    }

    private void forget() {
      model.compact(key -> !writer.remembers(key.getBytes(UTF_8)));
    }

    private void advanceStart() {
      int partition = random.nextInt(shape.partitions());
      long room = offsets[partition] - starts[partition];
      starts[partition] += (long) (room * random.nextDouble());
      sequences.clear();
      model.advanceStart(partition, starts[partition]);
      writer.advanceStart(partition, starts[partition]);
      // A deletion that was dropped already has been known only for the other partition's sake.
      forget();
    }

    private void startOver() {
      model.clear();
      sequences.clear();
      writer.startOver();
      Arrays.fill(offsets, 0);
      Arrays.fill(starts, 0);
    }

    private void publish() {
      version = writer.publish(Status.NONE);
      published = model.fold();
      assertEquals(published.size(), version.size());
      assertEquals(version, table.version());
      checkScan();
      checkLookUps();
      checkBefore();
    }

    private void checkScan() {
      Follower fresh = new Follower(table);
      assertTrue(fresh.read(Integer.MAX_VALUE));
      assertEquals(published, fresh.map());
      Cursor cursor = table.cursor(0);
      Set<String> seen = new HashSet<>();
      sequences.clear();
      while (cursor.next(version, view)) {
        String key = new String(view.array(), view.keyOffset(), view.keyLength(), UTF_8);
        assertTrue(seen.add(key), "one record of a key");
        assertEquals(view.sequence(), table.find(key.getBytes(UTF_8)));
        sequences.put(key, view.sequence());
      }
    }

    /**
     * In the middle of a batch, a cleaning or both: deletions too, for no published mark tells yet
     * of those that are being forgotten.
     */
    private void checkThatWhatIsPublishedIsFound() {
      sequences.forEach(
          (key, sequence) -> assertTrue(table.find(key.getBytes(UTF_8)) >= sequence, key));
    }

    private void checkLookUps() {
      for (int i = 0; i < 20; i++) {
        int number = random.nextInt(shape.keys() + 1);
        String key = key(number);
        boolean there = table.get(key.getBytes(UTF_8), view);
        assertEquals(published.containsKey(key), there);
        if (there) {
          assertEquals(published.get(key), Follower.entry(view));
          long sequence = view.sequence();
          assertTrue(table.read(sequence, view));
          assertEquals(published.get(key), Follower.entry(view));
        }
      }
      long end = version.end();
      long sequence = (long) (random.nextDouble() * (end + 2));
      if (table.read(sequence, view)) {
        assertEquals(sequence, view.sequence());
        assertEquals(sequence, table.find(key(view)));
      }
    }

    private static byte[] key(RecordView view) {
      return Arrays.copyOfRange(view.array(), view.keyOffset(), view.valueOffset());
    }

    private void checkBefore() {
      long[] next = new long[random.nextInt(shape.partitions() + 1)];
      for (int p = 0; p < next.length; p++) {
        next[p] = offsets[p] - random.nextInt(20);
      }
      long before = version.before(next);
      assertTrue(before <= version.end());
      Cursor cursor = table.cursor(0);
      while (cursor.next(version, view) && view.sequence() <= before) {
        assertFalse(view.expired() || view.contested());
        assertTrue(view.partition() < next.length && view.offset() < next[view.partition()]);
      }
    }

    /** Also while the writer is in the middle of a batch: followers see none of it. */
    private void follow() {
      int number = random.nextInt(followers.size());
      if (random.nextInt(10) == 0) {
        followers.set(number, new Follower(table));
      }
      Follower follower = followers.get(number);
      if (follower.read(random.nextInt(1 << number * 3) + 1)) {
        assertEquals(published, follower.map());
      }
    }
  }
}
