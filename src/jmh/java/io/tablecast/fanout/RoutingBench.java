package io.tablecast.fanout;

import io.tablecast.table.Status;
import io.tablecast.table.Table;
import io.tablecast.table.TableSettings;
import io.tablecast.table.Tables;
import io.tablecast.wire.ClientMessages;
import io.tablecast.wire.ValueFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
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

/**
 * What a change costs a hub by the number of subscriptions, each with 5 keys of its own, that do
 * not match it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class RoutingBench {
  private static final int BATCH = 1_000;
  private static final int EACH = 5;

  /** Subscriptions. */
  @Param({"1", "100", "10000"})
  public int groups;

  private Table table;
  private Hub hub;
  private byte[] value;
  private byte[][] others;
  private long offset;

  /** Opens the subscriptions. */
  @Setup
  public void open() throws Exception {
    table = new Table("bench", TableSettings.DEFAULT, System::currentTimeMillis);
    table.writer().publish(new Status(true, 0, io.tablecast.table.Frontier.NONE));
    FanoutSettings settings = new FanoutSettings(65_536, 30_000, 100, 100, t -> ValueFormat.AUTO);
    hub = new Hub(new Direct(), new Tables(List.of(table)), settings, new NoEvents(), () -> 0);
    for (int g = 0; g < groups; g++) {
      StringBuilder keys = new StringBuilder();
      for (int k = 0; k < EACH; k++) {
        keys.append(k == 0 ? "" : ",").append("\"key:%012d\"".formatted(g * EACH + k));
      }
      hub.open()
          .receive(
              ClientMessages.parse(
                  "{\"type\":\"subscribe\",\"id\":\"b\",\"table\":\"bench\",\"snapshot\":false,\"keys\":["
                      + keys
                      + "]}"));
    }
    value = new byte[200];
    Arrays.fill(value, (byte) 'x');
    others = new byte[BATCH][];
    for (int i = 0; i < BATCH; i++) {
      others[i] = "not:%012d".formatted(i).getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** A change that nobody wants, the table's work included. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void changesNobodyWants() {
    for (byte[] key : others) {
      table.writer().apply(0, offset++, 1_700_000_000_000L, key, value);
    }
    table.writer().publish(new Status(true, 0, io.tablecast.table.Frontier.NONE));
    table.writer().clean(86_400_000);
    hub.wake();
  }

  private static final class Direct implements HubLoop {
    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public boolean inLoop() {
      return true;
    }

    @Override
    public Runnable schedule(Runnable task, long delayMillis) {
      return () -> {};
    }

    @Override
    public long now() {
      return 0;
    }
  }
}
