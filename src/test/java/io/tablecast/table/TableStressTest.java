package io.tablecast.table;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** One writer and readers of several kinds and speeds, for some seconds. */
class TableStressTest {
  private static final long NANOS = Long.getLong("tablecast.stress.seconds", 2) * 1_000_000_000L;

  private static final int FOLLOWERS_AND_SCANNER = 4;

  /** What a reader must have checked for the run to count. */
  private static final long ENOUGH = 5;

  private final long seed = System.nanoTime();
  private final AtomicBoolean stop = new AtomicBoolean();

  @Test
  void readersAgreeWithTheWriterOnFewHotKeys() throws Exception {
    run(12, false);
  }

  @Test
  void readersAgreeWithTheWriterOnManyKeys() throws Exception {
    run(3_000, false);
  }

  @Test
  void readersAgreeWithAWriterThatStartsOver() throws Exception {
    run(100, true);
  }

  private void run(int keys, boolean startsOver) throws Exception {
    AtomicLong clock = new AtomicLong();
    Table table = new Table("t", new TableSettings(1024, 0.3), clock::get);
    List<StressReader> readers =
        List.of(
            new StressReader.Follower(table, keys, seed, Integer.MAX_VALUE),
            new StressReader.Follower(table, keys, seed + 1, 50),
            new StressReader.Follower(table, keys, seed + 2, 3),
            new StressReader.Scanner(table, keys, seed + 3),
            new StressReader.Seeker(table, keys, seed + 4, startsOver),
            new StressReader.Seeker(table, keys, seed + 5, startsOver));
    StressWriter writer = new StressWriter(table, keys, clock, seed, startsOver);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> all = new ArrayList<>();
      all.add(threads.submit(() -> write(writer, readers)));
      readers.forEach(reader -> all.add(threads.submit(() -> read(reader))));
      for (Future<?> each : all) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("seed " + seed + ", " + keys + " keys", e.getCause());
    } finally {
      stop.set(true);
      threads.shutdown();
    }
    readers.forEach(TableStressTest::finish);
  }

  /** The writer has stopped: now each reader must come to the end and find itself right. */
  private static void finish(StressReader reader) {
    long checks = reader.checks();
    assertTrue(checks > ENOUGH, reader.getClass() + " has checked too little: " + checks);
    assertTrue(reader.finishes(), reader.getClass() + " does not come to the end");
  }

  private void write(StressWriter writer, List<StressReader> readers) {
    long start = System.nanoTime();
    for (int i = 0; !stop.get() && goesOn(System.nanoTime() - start, readers); i++) {
      writer.batch();
      if (i % 16 == 0) {
        pause(readers.get(i / 16 % FOLLOWERS_AND_SCANNER));
      }
    }
    stop.set(true);
  }

  /** On a busy machine a reader may not get its turn for a while: then it takes longer. */
  private static boolean goesOn(long nanos, List<StressReader> readers) {
    return nanos < NANOS
        || nanos < 30 * NANOS && readers.stream().anyMatch(r -> r.checks() <= ENOUGH);
  }

  /** Lets a reader come to the end of what it reads, if it does so soon. */
  private static void pause(StressReader reader) {
    long checks = reader.checks();
    for (int i = 0; i < 20 && reader.checks() == checks; i++) {
      Thread.yield();
    }
  }

  private void read(StressReader reader) {
    try {
      while (!stop.get()) {
        reader.step();
      }
    } catch (Throwable e) {
      stop.set(true);
      throw e;
    }
  }
}
