package io.tablecast.http;

import io.tablecast.table.Cursor;
import io.tablecast.table.RecordView;
import io.tablecast.table.Table;
import io.tablecast.table.Version;
import io.tablecast.wire.EntryRenderer;
import io.tablecast.wire.ValueFormat;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Some entries of a table in the order of their keys as unsigned bytes. Pages depend on keys alone,
 * so that paging may go on at another replica, and finds every key that is there throughout.
 *
 * @param entries as JSON objects
 * @param last the key after which the next page begins; null when there is none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Page(List<byte[]> entries, byte @Nullable [] last) {
  /** Values may be large: a page ends early after this many bytes. */
  private static final int PAGE_BYTES = 1 << 20;

  private static final byte NEXT_VERSION = 1;

  /**
   * What is asked for: at most {@code limit} entries whose keys begin with {@code prefix} and
   * follow {@code after}.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Request(byte[] prefix, byte @Nullable [] after, int limit) {
    boolean asksFor(RecordView record) {
      return !record.deletion()
          && Key.startsWith(record, prefix)
          && (after == null || Key.of(record).compareTo(Key.of(after)) > 0);
    }
  }

  /** Reads a page. Looks at every key of the table, so it is for worker threads. */
  static Page read(Table table, Request request, ValueFormat format) {
    TreeSet<Key> keys = new TreeSet<>();
    boolean more = smallest(table, request, keys);
    List<byte[]> entries = new ArrayList<>();
    RecordView view = new RecordView();
    int bytes = 0;
    for (Key key : keys) {
      byte[] raw = key.bytes();
      if (Lookup.newest(table, raw, view)) {
        byte[] entry = EntryRenderer.entry(view, format);
        entries.add(entry);
        bytes += entry.length;
      }
      boolean end = !more && key.equals(keys.last());
      if (bytes >= PAGE_BYTES && !end) {
        return new Page(entries, raw);
      }
    }
    return new Page(entries, more ? keys.last().bytes() : null);
  }

  /** Collects the smallest keys; returns whether there are more than the limit. */
  private static boolean smallest(Table table, Request request, TreeSet<Key> keys) {
    Cursor cursor = table.cursor(0);
    RecordView view = new RecordView();
    Version version = table.version();
    boolean more = false;
    while (true) {
      if (!cursor.nextOfAny(version, view)) {
        // What changed during the scan has its record behind the end of the version that it began
        // with.
        Version now = table.version();
        if (now == version) {
          return more;
        }
        if (now.incarnation() != version.incarnation()) {
          cursor.seek(0);
          keys.clear();
          more = false;
        }
        version = now;
      } else if (request.asksFor(view)) {
        more |= collect(table, view, keys, request.limit);
      }
    }
  }

  /**
   * Keeps the key if it is one of the smallest; returns whether that, or another one, was too many.
   */
  private static boolean collect(Table table, RecordView put, TreeSet<Key> keys, int limit) {
    Key key = Key.of(put);
    boolean full = keys.size() == limit;
    if (full && key.compareTo(keys.last()) > 0) {
      return !put.dead() || Lookup.exists(table, key.bytes());
    }
    if (keys.contains(key) || (put.dead() && !Lookup.exists(table, key.bytes()))) {
      return false;
    }
    keys.add(key);
    if (full) {
      keys.pollLast();
    }
    return full;
  }

  /** The answer's body. */
  Buffer toJson() {
    Buffer out = Buffer.buffer("{\"entries\":[");
    for (int i = 0; i < entries.size(); i++) {
      out.appendString(i == 0 ? "\n" : ",\n").appendBytes(entries.get(i));
    }
    out.appendString("\n]");
    if (last != null) {
      out.appendString(",\"next\":\"" + encode(last) + '"');
    }
    return out.appendString("}\n");
  }

  /** A key as the opaque {@code next}. */
  static String encode(byte[] key) {
    byte[] bytes = new byte[key.length + 1];
    bytes[0] = NEXT_VERSION;
    System.arraycopy(key, 0, bytes, 1, key.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The key of a {@code next}; empty when it is none. */
  static Optional<byte[]> decode(String next) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(next);
      return bytes.length == 0 || bytes[0] != NEXT_VERSION
          ? Optional.empty()
          : Optional.of(Arrays.copyOfRange(bytes, 1, bytes.length));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
