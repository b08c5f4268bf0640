package io.tablecast.fanout;

import io.tablecast.table.Cursor;
import io.tablecast.table.RecordView;
import io.tablecast.token.Since;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log from the start, or from where a token may begin to matter, to where it ended when
 * the subscription started. In a snapshot deletions are left out: the client has nothing. Snapshots
 * of one filter share their batches.
 */
final class LogSource implements Source {
  /**
   * Records looked at in one call, so that a filter that matches little does not hold the event
   * loop.
   */
  private static final int MAX_VISITED = 20_000;

  private final TableFan fan;
  private final Group group;
  private final @Nullable Since since;
  private final Cursor cursor;
  private final boolean meta;
  private final long end;
  private final KeyIndex<Boolean> index = new KeyIndex<>();
  private long position;
  private boolean matched;

  LogSource(Group group, @Nullable Since since, TableFan fan, Cursor cursor, boolean meta) {
    this.group = group;
    this.since = since;
    this.fan = fan;
    this.cursor = cursor;
    this.meta = meta;
    end = fan.end();
    index.add(group.filter, true);
    position = since == null ? 0 : Math.min(end, fan.version().before(since.next()));
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public boolean done() {
    return position >= end;
  }

  @Override
  public @Nullable Batch read() {
    if (done()) {
      return null;
    }
    BatchCache.Place place = new BatchCache.Place(position, true, meta);
    Batch batch = since == null ? usable(group.shared(place)) : null;
    if (batch == null) {
      batch = build();
      if (since == null) {
        group.share(place, batch);
      }
    }
    position = batch.to();
    return batch.count() == 0 ? null : batch;
  }

  /**
   * Another subscription's batch serves if it left out no deletion that this one needs (those after
   * its start), and shows nothing whose deletion this one will not hear of (those up to its start).
   */
  private @Nullable Batch usable(@Nullable Batch b) {
    return b != null && b.to() <= end && b.builtAt() >= end && fan.confirms(b) ? b : null;
  }

  private Batch build() {
    BatchWriter out = fan.batches.start(fan.format, meta);
    RecordView view = fan.view;
    if (cursor.position() != position) {
      cursor.seek(position);
    }
    long to = position;
    for (int visited = 0; visited < MAX_VISITED; visited++) {
      if (!cursor.next(fan.version(), view) || view.sequence() > end) {
        to = end;
        break;
      }
      if (wanted(view) && !out.offer(view)) {
        break;
      }
      to = view.sequence();
    }
    return out.finish(to, fan.end(), to >= fan.end() ? fan.token() : null);
  }

  private boolean wanted(RecordView r) {
    if (since == null ? r.deletion() : !since.includes(r)) {
      return false;
    }
    if (group.filter.all()) {
      return true;
    }
    matched = false;
    index.match(r, m -> matched = true);
    return matched;
  }
}
