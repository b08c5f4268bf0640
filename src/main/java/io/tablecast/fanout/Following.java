package io.tablecast.fanout;

import io.tablecast.table.Cursor;
import io.tablecast.table.RecordView;

/** Builds the batch that leads on from a position once what was old has been told. Hub thread. */
final class Following {
  private Following() {}

  /** From the log, for the filter that everything matches. */
  static Batch log(TableFan fan, Cursor cursor, boolean meta) {
    BatchWriter out = fan.batches.start(fan.format, meta);
    RecordView view = fan.view;
    long to = cursor.position();
    while (true) {
      if (!cursor.next(fan.version(), view)) {
        to = fan.end();
        break;
      }
      if (!out.offer(view)) {
        break;
      }
      to = view.sequence();
    }
    return finish(out, fan, to);
  }

  /** From a group's queue. */
  static Batch queue(TableFan fan, Group group, long from, boolean meta) {
    BatchWriter out = fan.batches.start(fan.format, meta);
    RecordView view = fan.view;
    SequenceQueue queue = group.queue;
    long to = from;
    int i = queue.after(from);
    for (; i < queue.size(); i++) {
      if (fan.table.read(queue.get(i), view) && !out.offer(view)) {
        break;
      }
      to = queue.get(i);
    }
    return finish(out, fan, i == queue.size() ? fan.end() : to);
  }

  private static Batch finish(BatchWriter out, TableFan fan, long to) {
    return out.finish(to, fan.end(), to >= fan.end() ? fan.token() : null);
  }
}
