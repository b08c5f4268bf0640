package io.tablecast.wire;

import io.tablecast.table.Cursor;
import io.tablecast.table.RecordView;
import io.tablecast.table.Status;
import io.tablecast.table.Table;
import io.tablecast.table.TableSettings;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to show one change of 200 bytes, and to tell JSON from text. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class RenderBench {
  private final RecordView view = new RecordView();
  private final ByteWriter out = new ByteWriter(1024);
  private byte[] json;

  /** Makes one record. */
  @Setup
  public void make() {
    String members =
        "\"price\":1234.56,\"currency\":\"EUR\",\"stock\":42,\"tags\":[\"a\",\"b\"],\"live\":true,";
    json =
        ("{" + members + "\"name\":\"" + "x".repeat(200 - members.length() - 11) + "\"}")
            .getBytes(StandardCharsets.US_ASCII);
    Table table = new Table("bench", TableSettings.DEFAULT, () -> 0);
    table.writer().apply(0, 1, 1, "key:000000000001".getBytes(StandardCharsets.US_ASCII), json);
    table.writer().publish(Status.NONE);
    Cursor cursor = table.cursor(0);
    if (!cursor.next(table.version(), view)) {
      throw new IllegalStateException();
    }
  }

  /** A change whose value is looked at first. */
  @Benchmark
  public int renderAuto() {
    out.truncate(0);
    EntryRenderer.change(out, view, ValueFormat.AUTO, false);
    return out.size();
  }

  /** A change with partition, offset and timestamp. */
  @Benchmark
  public int renderMeta() {
    out.truncate(0);
    EntryRenderer.change(out, view, ValueFormat.AUTO, true);
    return out.size();
  }

  /** Whether a value is JSON. */
  @Benchmark
  public boolean validate() {
    return JsonText.isJson(json, 0, json.length);
  }
}
