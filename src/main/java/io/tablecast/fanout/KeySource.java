package io.tablecast.fanout;

import io.tablecast.table.RecordView;
import io.tablecast.token.Since;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a filter of keys alone matches by looking the keys up, so that a subscription to a few
 * keys of a large table costs a few look-ups. A record that is newer than the fan's version is left
 * to be routed, and {@link #gate} tells of it.
 */
final class KeySource implements Source {
  private final TableFan fan;
  private final boolean meta;
  private final long end;
  private final long[] found;
  private int at;
  private long gate;

  KeySource(Filter filter, @Nullable Since since, TableFan fan, boolean meta) {
    this.fan = fan;
    this.meta = meta;
    end = fan.end();
    long[] sequences = new long[filter.keys().size()];
    int n = 0;
    for (Bytes key : filter.keys()) {
      long sequence = fan.table.find(key.toByteArray());
      if (sequence > end) {
        gate = Math.max(gate, sequence);
      } else if (sequence > 0 && fan.table.read(sequence, fan.view) && wanted(fan.view, since)) {
        sequences[n++] = sequence;
      }
    }
    found = Arrays.copyOf(sequences, n);
    Arrays.sort(found);
  }

  /** The subscription must not be called live before it has been told of this sequence number. */
  long gate() {
    return gate;
  }

  @Override
  public long position() {
    return done() ? end : at == 0 ? 0 : found[at - 1];
  }

  @Override
  public boolean done() {
    return at == found.length;
  }

  @Override
  public @Nullable Batch read() {
    BatchWriter out = fan.batches.start(fan.format, meta);
    RecordView view = fan.view;
    while (!done()) {
      if (fan.table.read(found[at], view) && !out.offer(view)) {
        break;
      }
      at++;
    }
    if (out.count() == 0) {
      return null;
    }
    boolean nameable = done() && end >= fan.end() && gate <= end;
    return out.finish(position(), fan.end(), nameable ? fan.token() : null);
  }

  private static boolean wanted(RecordView r, @Nullable Since since) {
    return since == null ? !r.deletion() : since.includes(r);
  }
}
