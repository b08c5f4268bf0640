package io.tablecast.table;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** What a table costs for each record: 16-byte keys, 200-byte values. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class TableBench {
  private static final int KEYS = 1_000_000;
  private static final int BATCH = 5_000;

  /** Whether the writer is told what comes, as the feed tells it; the baseline is without. */
  @Param({"false", "true"})
  public boolean told;

  private final byte[][] batch = new byte[BATCH][];
  private final Random random = new Random(2026);
  private byte[][] keys;
  private byte[] value;
  private Table full;
  private Cursor cursor;
  private final RecordView view = new RecordView();
  private Table growing;
  private int next;
  private long offset;

  /** Fills a table with a million keys. */
  @Setup
  public void fill() {
    keys = new byte[KEYS][];
    value = new byte[200];
    Arrays.fill(value, (byte) 'x');
    for (int i = 0; i < KEYS; i++) {
      keys[i] = "key:%012d".formatted(i).getBytes(StandardCharsets.US_ASCII);
    }
    full = table();
    for (byte[] key : keys) {
      full.writer().apply(0, offset++, 1_700_000_000_000L, key, value);
    }
    full.writer().publish(Status.NONE);
    cursor = full.cursor(0);
    growing = table();
  }

  private static Table table() {
    return new Table("bench", TableSettings.DEFAULT, System::currentTimeMillis);
  }

  private void applyBatch(TableWriter writer) {
    for (int i = 0; i < BATCH; i++) {
      if (told && i % TableWriter.LOOK_AHEAD == 0) {
        int end = Math.min(BATCH, i + TableWriter.LOOK_AHEAD);
        for (int j = i; j < end; j++) {
          writer.lookAhead(batch[j]);
        }
      }
      writer.apply(0, offset++, 1_700_000_000_000L, batch[i], value);
    }
  }

  /** Records with new keys; the table starts over at a million. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void applyNewKeys() {
    if (next == KEYS) {
      next = 0;
      growing = table();
    }
    if (told) {
      growing.writer().expect(next, KEYS - next);
    }
    System.arraycopy(keys, next, batch, 0, BATCH);
    next += BATCH;
    applyBatch(growing.writer());
    growing.writer().publish(Status.NONE);
  }

  /** Records that overwrite keys of a million at random, cleaning included. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void applyOverwriting() {
    for (int i = 0; i < BATCH; i++) {
      batch[i] = keys[random.nextInt(KEYS)];
    }
    applyBatch(full.writer());
    full.writer().publish(Status.NONE);
    full.writer().clean(86_400_000);
  }

  /** A record read by a cursor. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void cursor(Blackhole hole) {
    Version version = full.version();
    for (int i = 0; i < BATCH; i++) {
      if (!cursor.next(version, view)) {
        cursor.seek(0);
      }
      hole.consume(view.valueLength());
    }
  }

  /** A key looked up at random. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void lookUp(Blackhole hole) {
    for (int i = 0; i < BATCH; i++) {
      hole.consume(full.get(keys[random.nextInt(KEYS)], view));
    }
  }
}
