package io.tablecast.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.Map;

/** A reader that keeps a map, at its own pace, and does what the package's page asks of readers. */
final class Follower {
  private final Table table;
  private final Cursor cursor;
  private final RecordView view = new RecordView();
  private final Map<String, TopicModel.Entry> map = new LinkedHashMap<>();
  private int incarnation;
  private long droppedAtStart;
  private int restarts;

  Follower(Table table) {
    this.table = table;
    this.cursor = table.cursor(0);
    startOver(table.version());
  }

  private void startOver(Version version) {
    map.clear();
    cursor.seek(0);
    incarnation = version.incarnation();
    droppedAtStart = version.dropped();
  }

  int restarts() {
    return restarts;
  }

  /** Reads some records; returns whether it came to the end. */
  boolean read(int limit) {
    Version version = table.version();
    boolean missed = version.dropped() > Math.max(cursor.position(), droppedAtStart);
    if (missed || version.incarnation() != incarnation) {
      startOver(version);
      restarts++;
    }
    for (int i = 0; i < limit; i++) {
      long before = cursor.position();
      if (!cursor.next(version, view)) {
        assertEquals(version.end(), cursor.position());
        return true;
      }
      assertTrue(view.sequence() > before, "sequence numbers rise");
      assertEquals(view.sequence(), cursor.position());
      assertFalse(view.dead());
      apply();
    }
    return false;
  }

  private void apply() {
    String key = new String(view.array(), view.keyOffset(), view.keyLength(), UTF_8);
    if (view.deletion()) {
      assertEquals(0, view.valueLength());
      map.remove(key);
    } else {
      map.put(key, entry(view));
    }
  }

  static TopicModel.Entry entry(RecordView view) {
    return new TopicModel.Entry(
        view.partition(),
        view.offset(),
        view.timestamp(),
        new String(view.array(), view.valueOffset(), view.valueLength(), UTF_8));
  }

  Map<String, TopicModel.Entry> map() {
    return map;
  }
}
