package io.tablecast.fanout;

import io.tablecast.table.RecordView;
import io.tablecast.wire.ByteWriter;
import io.tablecast.wire.EntryRenderer;
import io.tablecast.wire.ValueFormat;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Collects rendered changes into one batch. One per hub, used again; hub thread. */
final class BatchWriter {
  private static final byte[] START = "\"changes\":[".getBytes(StandardCharsets.US_ASCII);

  /** What a change has beside its key and value, at most about. */
  private static final int OVERHEAD = 48;

  private final int target;
  private final ByteWriter out;
  private ValueFormat format = ValueFormat.AUTO;
  private boolean meta;
  private int count;

  /**
   * @param target bytes of a full batch
   */
  BatchWriter(int target) {
    this.target = target;
    out = new ByteWriter(target + target / 4);
  }

  BatchWriter start(ValueFormat withFormat, boolean withMeta) {
    out.truncate(0);
    out.raw(START);
    format = withFormat;
    meta = withMeta;
    count = 0;
    return this;
  }

  int count() {
    return count;
  }

  /** Adds the change, unless the batch is full with what it has. */
  boolean offer(RecordView change) {
    int estimate = change.keyLength() + change.valueLength() + OVERHEAD;
    if (count > 0 && out.size() + estimate > target) {
      return false;
    }
    if (count++ > 0) {
      out.ascii(",");
    }
    EntryRenderer.change(out, change, format, meta);
    return true;
  }

  Batch finish(long to, long builtAt, @Nullable Named token) {
    out.ascii("]");
    if (token != null) {
      out.ascii(",\"token\":").string(token.text());
    }
    return new Batch(out.ascii("}").toByteArray(), to, count, builtAt, token);
  }
}
