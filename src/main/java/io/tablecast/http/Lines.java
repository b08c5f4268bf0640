package io.tablecast.http;

import io.tablecast.table.Cursor;
import io.tablecast.table.RecordView;
import io.tablecast.table.Table;
import io.tablecast.table.Version;
import io.tablecast.wire.EntryRenderer;
import io.tablecast.wire.ValueFormat;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;

/**
 * A whole table as lines of JSON, made piece by piece: first the values as they are at the start,
 * and then the newest value of each key that has changed meanwhile. So a key that changes while it
 * is read may come twice, the later line being the newer; none that is there throughout is missing.
 * What is held is the keys that changed. For one thread at a time.
 */
final class Lines {
  private static final int PIECE_BYTES = 64 << 10;

  /**
   * Records looked at for one piece, so that a filter that matches little does not hold the thread.
   */
  private static final int PIECE_RECORDS = 10_000;

  private final Table table;
  private final byte[] prefix;
  private final ValueFormat format;
  private final Version start;
  private final Cursor cursor;
  private final RecordView view = new RecordView();
  private final RecordView newest = new RecordView();
  private final Set<Key> changed = new LinkedHashSet<>();
  private final Queue<Key> rest = new ArrayDeque<>();
  private boolean startRead;
  private boolean changesRead;

  Lines(Table table, byte[] prefix, ValueFormat format) {
    this.table = table;
    this.prefix = prefix;
    this.format = format;
    start = table.version();
    cursor = table.cursor(0);
  }

  /** Whether the table has started over: then what has been given is of a table that is no more. */
  boolean broken() {
    return table.version().incarnation() != start.incarnation();
  }

  /** Whether {@link #readChanges} has to be called before the next piece. */
  boolean wantsChanges() {
    return startRead && !changesRead;
  }

  /** Whether there is nothing more. */
  boolean done() {
    return changesRead && rest.isEmpty();
  }

  /** The next lines, about 64 KiB; may be empty before the end. */
  byte[] next() {
    ByteArrayOutputStream out = new ByteArrayOutputStream(PIECE_BYTES + (PIECE_BYTES >> 2));
    for (int i = 0; i < PIECE_RECORDS && out.size() < PIECE_BYTES; i++) {
      if (!startRead) {
        startRead = !atStart(out);
      } else if (!afterwards(out)) {
        break;
      }
    }
    return out.toByteArray();
  }

  private boolean atStart(ByteArrayOutputStream out) {
    if (!cursor.nextOfAny(start, view)) {
      return false;
    }
    if (matches()) {
      if (!view.dead()) {
        line(view, out);
      } else if (table.find(Key.of(view).bytes()) > start.end()) {
        changed.add(Key.of(view));
      }
    }
    return true;
  }

  private boolean afterwards(ByteArrayOutputStream out) {
    Key key = rest.poll();
    if (key == null) {
      return false;
    }
    if (Lookup.newest(table, key.bytes(), newest)) {
      line(newest, out);
    }
    return true;
  }

  /**
   * Collects the keys that have changed since the start. Not bounded in time: for worker threads.
   */
  void readChanges() {
    Version version = table.version();
    while (version.incarnation() == start.incarnation()) {
      while (cursor.nextOfAny(version, view)) {
        if (matches()) {
          changed.add(Key.of(view));
        }
      }
      Version now = table.version();
      if (now == version) {
        break;
      }
      version = now;
    }
    rest.addAll(changed);
    changed.clear();
    changesRead = true;
  }

  private boolean matches() {
    return !view.deletion() && Key.startsWith(view, prefix);
  }

  private void line(RecordView put, ByteArrayOutputStream out) {
    out.writeBytes(EntryRenderer.entry(put, format));
    out.write('\n');
  }
}
