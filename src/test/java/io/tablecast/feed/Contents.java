package io.tablecast.feed;

import io.tablecast.table.Cursor;
import io.tablecast.table.RecordView;
import io.tablecast.table.Table;
import io.tablecast.table.Version;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;

/** What a table holds, as {@link io.tablecast.testkit.TestKafka#fold} tells it. */
final class Contents {
  private Contents() {}

  static Map<Bytes, Bytes> of(Table table) {
    Map<Bytes, Bytes> map = new HashMap<>();
    Version version = table.version();
    RecordView view = new RecordView();
    Cursor cursor = table.cursor(0);
    while (cursor.next(version, view)) {
      Bytes key = slice(view, view.keyOffset(), view.keyLength());
      if (view.deletion()) {
        map.remove(key);
      } else {
        map.put(key, slice(view, view.valueOffset(), view.valueLength()));
      }
    }
    return map;
  }

  private static Bytes slice(RecordView view, int offset, int length) {
    return Bytes.wrap(Arrays.copyOfRange(view.array(), offset, offset + length));
  }
}
