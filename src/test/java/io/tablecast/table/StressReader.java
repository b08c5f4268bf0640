package io.tablecast.table;

import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Readers of a table that is being written; each checks all that can be known at its place. */
abstract class StressReader {
  final Table table;
  final Random random;
  final RecordView view = new RecordView();
  private volatile long checks;

  StressReader(Table table, long seed) {
    this.table = table;
    this.random = new Random(seed);
  }

  /** Does a piece of work; throws an error when something is wrong. */
  abstract void step();

  /** Whether it has seen the newest version as a whole. */
  boolean settled() {
    return true;
  }

  /** Once the writer has stopped: goes on to the end; false if there seems to be none. */
  final boolean finishes() {
    for (int i = 0; i < 1_000_000; i++) {
      step();
      if (settled()) {
        return true;
      }
    }
    return false;
  }

  /** How often it has made its main comparison. */
  final long checks() {
    return checks;
  }

  final void checked() {
    checks++;
  }

  /** Keeps a map by reading on, some records at a time. */
  static final class Follower extends StressReader {
    private final Cursor cursor;
    private final RecordView other = new RecordView();
    private final int pace;
    private final long[] offsets;
    private final long[] sequences;
    private final long[] newest;
    private int incarnation = -1;
    private long droppedAtStart;
    private @Nullable Version compared;
    private long sum;
    private int size;

    /**
     * @param pace records in one step
     */
    Follower(Table table, int keys, long seed, int pace) {
      super(table, seed);
      this.pace = pace;
      cursor = table.cursor(0);
      offsets = new long[keys];
      sequences = new long[keys];
      newest = new long[keys];
    }

    @Override
    void step() {
      Version version = table.version();
      if (version == compared) {
        Thread.yield();
        return;
      }
      boolean missed = version.dropped() > Math.max(cursor.position(), droppedAtStart);
      if (missed || version.incarnation() != incarnation) {
        startOver(version);
      }
      for (int i = 0; i < pace; i++) {
        if (!cursor.next(version, view)) {
          atEnd(version);
          return;
        }
        StressRecord.require(view.sequence() <= version.end(), "publication", view);
        apply();
      }
    }

    @Override
    boolean settled() {
      return compared == table.version();
    }

    private void startOver(Version version) {
      incarnation = version.incarnation();
      droppedAtStart = version.dropped();
      cursor.seek(0);
      Arrays.fill(offsets, 0);
      Arrays.fill(sequences, 0);
      sum = 0;
      size = 0;
    }

    private void apply() {
      int number = StressRecord.verify(view);
      long offset = view.offset();
      StressRecord.require(offset >= newest[number], "order", view);
      newest[number] = offset;
      if (sequences[number] != 0) {
        StressRecord.require(view.sequence() > sequences[number], "order", view);
        boolean old = table.read(sequences[number], other);
        StressRecord.require(!old, "death of the one before", view);
      }
      sequences[number] = view.sequence();
      set(number, view.deletion() ? 0 : offset);
    }

    private void set(int number, long offset) {
      if (offsets[number] != 0) {
        sum -= StressRecord.mix(number, offsets[number]);
        size--;
      }
      offsets[number] = offset;
      if (offset != 0) {
        sum += StressRecord.mix(number, offset);
        size++;
      }
    }

    private void atEnd(Version version) {
      if (version == compared || !table.isNewest(version)) {
        return;
      }
      if (size != version.size() || sum != StressWriter.sum(version)) {
        throw new AssertionError(
            "at "
                + version.end()
                + ": "
                + size
                + " keys instead of "
                + version.size()
                + " or others");
      }
      compared = version;
      checked();
    }
  }

  /** Reads one version from start to end. */
  static final class Scanner extends StressReader {
    private final long[] seenAt;
    private long scans;

    Scanner(Table table, int keys, long seed) {
      super(table, seed);
      seenAt = new long[keys];
    }

    @Override
    void step() {
      scans++;
      Version version = table.version();
      Cursor cursor = table.cursor(0);
      long sum = 0;
      int size = 0;
      while (cursor.next(version, view)) {
        int number = StressRecord.verify(view);
        StressRecord.require(view.sequence() <= version.end(), "publication", view);
        StressRecord.require(seenAt[number] != scans, "death of an earlier record", view);
        seenAt[number] = scans;
        if (!view.deletion()) {
          sum += StressRecord.mix(number, view.offset());
          size++;
        }
      }
      if (table.isNewest(version)) {
        if (size != version.size() || sum != StressWriter.sum(version)) {
          throw new AssertionError(size + " keys instead of " + version.size() + ", or others");
        }
        checked();
      }
    }
  }

  /** Looks keys and records up. */
  static final class Seeker extends StressReader {
    private final long[] last;

    /** Seen to be deleted since: then only something newer may come. */
    private final boolean[] gone;

    private final boolean startsOver;

    Seeker(Table table, int keys, long seed, boolean startsOver) {
      super(table, seed);
      this.startsOver = startsOver;
      last = new long[keys];
      gone = new boolean[keys];
    }

    @Override
    void step() {
      lookUp(random.nextInt(3) == 0 ? random.nextInt(10) : random.nextInt(last.length));
      Version version = table.version();
      long sequence = Math.max(0, version.end() - random.nextInt(2_000));
      if (table.read(sequence, view)) {
        StressRecord.verify(view);
        StressRecord.require(view.sequence() == sequence, "place", view);
      }
    }

    private void lookUp(int number) {
      if (table.get(StressRecord.key(number), view)) {
        StressRecord.require(StressRecord.verify(view) == number, "key", view);
        boolean newer = view.offset() > last[number];
        StressRecord.require(newer || view.offset() == last[number], "order", view);
        StressRecord.require(newer || !gone[number], "deletion", view);
        last[number] = view.offset();
        gone[number] = false;
        checked();
      } else {
        boolean lost = !startsOver && last[number] != 0 && StressWriter.stays(number);
        StressRecord.require(!lost, "loss of the key " + number + " after", view);
        gone[number] = true;
      }
    }
  }
}
