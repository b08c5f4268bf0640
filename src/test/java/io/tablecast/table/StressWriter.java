package io.tablecast.table;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Changes keys at random. What it publishes says what the table then adds up to. */
final class StressWriter {
  private final Random random;
  private final int keys;
  private final AtomicLong clock;
  private final boolean startsOver;
  private final TableWriter writer;
  private final long[] offsets;
  private long offset;
  private long sum;

  /**
   * @param startsOver whether the table does so now and then; if not, keys that {@link #stays} are
   *     always there once they have been there
   */
  StressWriter(Table table, int keys, AtomicLong clock, long seed, boolean startsOver) {
    this.random = new Random(seed);
    this.keys = keys;
    this.clock = clock;
    this.startsOver = startsOver;
    this.writer = table.writer();
    this.offsets = new long[keys];
  }

  /** Whether a key is never deleted. */
  static boolean stays(int number) {
    return number % 2 == 0;
  }

  /** The sum that a version's status carries. */
  static long sum(Version version) {
    return version.status().staleSince();
  }

  void batch() {
    if (startsOver && random.nextInt(1_000) == 0) {
      startOver();
    }
    // A large batch takes long to publish, which leaves time for readers to look on.
    int changes = 1 + random.nextInt(random.nextInt(20) == 0 ? 3_000 : 30);
    writer.expect(random.nextInt(100), random.nextInt(2) * random.nextInt(1_000));
    int[] numbers = new int[TableWriter.LOOK_AHEAD];
    byte[][] names = new byte[numbers.length][];
    for (int i = 0; i < changes; i++) {
      int at = i % numbers.length;
      if (at == 0) {
        lookAhead(numbers, names);
      }
      change(numbers[at], names[at]);
    }
    if (random.nextInt(3) == 0) {
      clock.incrementAndGet();
      writer.clean(random.nextInt(20));
    }
    writer.publish(new Status(true, sum, Frontier.NONE));
  }

  private void lookAhead(int[] numbers, byte[][] names) {
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = random.nextInt(3) == 0 ? random.nextInt(10) : random.nextInt(keys);
      names[i] = StressRecord.key(numbers[i]);
      writer.lookAhead(names[i]);
    }
  }

  private void change(int number, byte[] name) {
    offset++;
    boolean deleted = !stays(number) && random.nextInt(2) == 0;
    byte[] value = deleted ? null : StressRecord.value(number, offset);
    writer.apply(StressRecord.partition(number), offset, -offset, name, value);
    if (offsets[number] != 0) {
      sum -= StressRecord.mix(number, offsets[number]);
    }
    offsets[number] = value == null ? 0 : offset;
    if (value != null) {
      sum += StressRecord.mix(number, offset);
    }
  }

  private void startOver() {
    writer.startOver();
    Arrays.fill(offsets, 0);
    sum = 0;
  }
}
