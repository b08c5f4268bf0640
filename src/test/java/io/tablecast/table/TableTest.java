package io.tablecast.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class TableTest {
  private final AtomicLong clock = new AtomicLong(1_000);
  private final Table table = new Table("t", new TableSettings(1024, 0.3), clock::get);
  private final TableWriter writer = table.writer();
  private final RecordView view = new RecordView();

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private void put(int partition, long offset, long timestamp, String key, String value) {
    writer.apply(partition, offset, timestamp, bytes(key), bytes(value));
  }

  private void delete(int partition, long offset, long timestamp, String key) {
    writer.apply(partition, offset, timestamp, bytes(key), null);
  }

  private Version publish() {
    return writer.publish(Status.NONE);
  }

  /** Like {@code "a=1@0:5"} for a put, {@code "a-@0:6"} for a deletion, with marks x and c. */
  private List<String> scan(Cursor cursor) {
    List<String> seen = new ArrayList<>();
    Version version = table.version();
    while (cursor.next(version, view)) {
      seen.add(text(view));
    }
    return seen;
  }

  private static String text(RecordView r) {
    String key = new String(r.array(), r.keyOffset(), r.keyLength(), UTF_8);
    String value = new String(r.array(), r.valueOffset(), r.valueLength(), UTF_8);
    return key
        + (r.deletion() ? "-" : "=" + value)
        + "@"
        + r.partition()
        + ":"
        + r.offset()
        + (r.expired() ? "x" : "")
        + (r.contested() ? "c" : "");
  }

  private String get(String key) {
    return table.get(bytes(key), view)
        ? new String(view.array(), view.valueOffset(), view.valueLength(), UTF_8)
        : null;
  }

  /** Fills and seals some segments, so that the cleaner has them to itself. */
  private void fill(long firstOffset) {
    for (int i = 0; i < 40; i++) {
      put(9, firstOffset + i, 1, "filler" + i % 2, "x".repeat(100));
    }
  }

  private void cleanAll(long retention) {
    int steps = 0;
    while (writer.clean(retention)) {
      assertTrue(++steps < 1_000, "cleaning must come to an end");
    }
  }

  @Test
  void startsEmpty() {
    Version version = table.version();
    assertEquals(0, version.end());
    assertEquals(0, version.size());
    assertEquals(0, version.incarnation());
    assertEquals(0, version.dropped());
    assertEquals(-1, version.droppedOffset(3));
    assertEquals(0, version.before(new long[0]));
    assertEquals(Status.NONE, version.status());
    assertFalse(table.cursor(0).next(version, view));
    assertEquals(0, table.find(bytes("a")));
    assertFalse(table.read(1, view));
    assertTrue(table.isNewest(version));
    assertEquals("t", table.name());
  }

  @Test
  void showsNothingToCursorsBeforePublication() {
    Version before = table.version();
    put(0, 5, 7, "a", "1");
    assertFalse(table.cursor(0).next(before, view));
    assertEquals("1", get("a"), "a look-up may be ahead");
    Version after = publish();
    assertFalse(table.isNewest(before));
    assertTrue(table.isNewest(after));
    assertEquals(List.of("a=1@0:5"), scan(table.cursor(0)));
    assertEquals(1, after.end());
    assertEquals(1, after.size());
  }

  @Test
  void keepsTheWholeRecord() {
    put(3, 1L << 60, 1_764_547_200_000L, "key", "value");
    publish();
    assertTrue(table.read(1, view));
    assertEquals(1, view.sequence());
    assertEquals(3, view.partition());
    assertEquals(1L << 60, view.offset());
    assertEquals(1_764_547_200_000L, view.timestamp());
    assertFalse(view.deletion() || view.expired() || view.contested());
  }

  @Test
  void theLaterOffsetWinsWithinAPartition() {
    put(0, 5, 900, "a", "1");
    put(0, 6, 100, "a", "2");
    publish();
    assertEquals(List.of("a=2@0:6"), scan(table.cursor(0)));
    assertFalse(table.read(1, view));
    assertEquals(2, table.find(bytes("a")));
  }

  @Test
  void aDeathIsNotSeenBeforeItsSuccessorIsPublished() {
    put(0, 1, 1, "a", "1");
    publish();
    put(0, 2, 2, "a", "2");
    assertEquals(List.of("a=1@0:1"), scan(table.cursor(0)));
    assertTrue(table.read(1, view));
    publish();
    assertEquals(List.of("a=2@0:2"), scan(table.cursor(0)));
    assertFalse(table.read(1, view));
  }

  @Test
  void aCursorGoesOnFromWhereItWas() {
    Cursor cursor = table.cursor(0);
    put(0, 1, 1, "a", "1");
    put(0, 2, 1, "b", "1");
    publish();
    assertEquals(List.of("a=1@0:1", "b=1@0:2"), scan(cursor));
    assertEquals(2, cursor.position());
    delete(0, 3, 1, "a");
    put(0, 4, 1, "a", "2");
    delete(0, 5, 1, "b");
    publish();
    assertEquals(List.of("a=2@0:4", "b-@0:5"), scan(cursor));
    assertEquals(5, cursor.position());
    cursor.seek(4);
    assertEquals(List.of("b-@0:5"), scan(cursor));
    assertEquals(1, table.version().size());
  }

  @Test
  void aCursorBeyondTheEndWaits() {
    Cursor cursor = table.cursor(3);
    for (int i = 1; i <= 5; i++) {
      put(0, i, 1, "k" + i, "v");
      publish();
      scan(cursor);
      assertEquals(Math.max(3, i), cursor.position());
    }
  }

  @Test
  void aDeletionOfAnUnknownKeyIsNews() {
    delete(0, 1, 1, "a");
    publish();
    assertEquals(List.of("a-@0:1"), scan(table.cursor(0)));
    assertNull(get("a"));
    assertEquals(0, table.version().size());
  }

  @Test
  void cleaningFreesDeadRecords() {
    for (int round = 0; round < 50; round++) {
      fill(100L * round);
    }
    long before = publish().logBytes();
    cleanAll(Long.MAX_VALUE);
    Version after = publish();
    assertTrue(after.logBytes() < 5_000, "from " + before + " to " + after.logBytes());
    assertTrue(after.deadBytes() <= 1024);
    assertEquals(2, after.size());
    assertEquals(2, scan(table.cursor(0)).size());
  }

  @Test
  void oldDeletionsAreDroppedAndSaidToBe() {
    put(0, 7, 1, "a", "1");
    delete(0, 8, 1, "a");
    fill(0);
    publish();
    cleanAll(1_000);
    publish();
    assertEquals("a-@0:8", scan(table.cursor(0)).get(0), "still young");

    clock.addAndGet(1_001);
    cleanAll(1_000);
    assertTrue(table.read(2, view), "not before publication");
    Version version = publish();
    assertFalse(scan(table.cursor(0)).contains("a-@0:8"));
    assertEquals(2, version.dropped());
    assertEquals(8, version.droppedOffset(0));
    assertEquals(-1, version.droppedOffset(9));
    assertFalse(table.read(2, view));
    assertEquals(0, table.find(bytes("a")));

    put(0, 9, 1, "a", "2");
    publish();
    assertEquals("2", get("a"));
  }

  @Test
  void segmentsOfNothingButOldDeletionsAreFound() {
    for (int i = 0; i < 1_000; i++) {
      delete(0, i, 1, "key" + i);
    }
    clock.addAndGet(10);
    publish();
    cleanAll(5);
    publish();
    assertTrue(scan(table.cursor(0)).size() <= 100);
    assertTrue(table.version().logBytes() < 3_000);
  }

  @Test
  void acrossPartitionsTheNewerTimestampWins() {
    put(0, 1, 100, "a", "zero");
    put(1, 1, 99, "a", "one");
    publish();
    assertEquals(List.of("a=zero@0:1c"), scan(table.cursor(0)));
    assertEquals(1, writer.contested());
    assertArrayEquals(bytes("a"), writer.contestedExample());
    put(1, 2, 101, "a", "one again");
    publish();
    assertEquals(List.of("a=one again@1:2c"), scan(table.cursor(0)));
  }

  @Test
  void atATieTheHigherPartitionWins() {
    put(1, 1, 100, "a", "one");
    put(0, 1, 100, "a", "zero");
    put(0, 2, 100, "b", "zero");
    put(1, 2, 100, "b", "one");
    publish();
    assertEquals(List.of("a=one@1:1c", "b=one@1:2c"), scan(table.cursor(0)));
  }

  @Test
  void anOldRecordWinsAgainWhenTheWinnersPartitionGoesBackInTime() {
    put(0, 1, 100, "a", "zero");
    put(1, 1, 200, "a", "one");
    put(1, 2, 50, "a", "one, earlier");
    publish();
    assertEquals(List.of("a=zero@0:1c"), scan(table.cursor(0)));
  }

  @Test
  void aTombstoneInOnePartitionLosesToANewerValueInAnother() {
    put(0, 1, 100, "a", "zero");
    put(1, 1, 300, "a", "one");
    delete(0, 2, 200, "a");
    publish();
    assertEquals("one", get("a"));
    delete(0, 3, 400, "a");
    publish();
    assertNull(get("a"));
    assertEquals(List.of("a-@0:3c"), scan(table.cursor(0)));
    put(1, 2, 350, "a", "one, too early");
    publish();
    assertNull(get("a"));
  }

  @Test
  void keysVanishWhenTheLogsStartMovesPastThem() {
    put(0, 10, 1, "a", "1");
    put(0, 20, 1, "b", "1");
    put(1, 10, 1, "c", "1");
    delete(0, 11, 1, "d");
    publish();
    assertEquals(1, writer.advanceStart(0, 20));
    Version version = publish();
    assertEquals(List.of("b=1@0:20", "c=1@1:10", "d-@0:11", "a-@0:10x"), scan(table.cursor(0)));
    assertTrue(table.read(5, view));
    assertEquals(-1, view.timestamp());
    assertEquals(2, version.size());
    assertEquals(0, writer.advanceStart(0, 20));
    put(1, 11, 1, "a", "2");
    put(1, 12, 0, "d", "2");
    publish();
    assertEquals("2", get("a"));
    assertEquals("2", get("d"), "a new reader would not see the tombstone");
    assertEquals(0, writer.contested());
  }

  @Test
  void theOtherPartitionsRecordShowsWhenTheWinnerVanishes() {
    put(0, 10, 100, "a", "zero");
    put(1, 10, 200, "a", "one");
    assertEquals(1, writer.advanceStart(1, 11));
    publish();
    assertEquals(List.of("a=zero@0:10c"), scan(table.cursor(0)));
    assertEquals(1, writer.advanceStart(0, 11));
    publish();
    assertEquals(List.of("a-@0:10xc"), scan(table.cursor(0)));
    assertEquals(0, table.version().size());
  }

  @Test
  void beforeFindsWhereAResumingReaderMustStart() {
    for (int i = 0; i < 500; i++) {
      put(i % 2, i, 1, "key" + i, "v".repeat(20));
    }
    Version version = publish();
    assertEquals(500, version.before(new long[] {500, 500}));
    assertEquals(0, version.before(new long[] {0, 0}));
    assertEquals(0, version.before(new long[] {500}), "a partition that is not known");
    long middle = version.before(new long[] {250, 250});
    assertTrue(middle > 150 && middle <= 250, "found " + middle);
    writer.advanceStart(0, 1);
    long expired = publish().before(new long[] {500, 500});
    assertTrue(expired > 400 && expired < 501, "expired ones always count: " + expired);
  }

  @Test
  void startingOverEmptiesEverythingAndGoesOnCounting() {
    put(0, 1, 1, "a", "1");
    put(1, 1, 2, "a", "2");
    put(0, 2, 1, "b", "1");
    long end = publish().end();
    writer.startOver();
    assertEquals(List.of("b=1@0:2", "a=2@1:1c").size(), scan(table.cursor(0)).size());
    Version version = publish();
    assertEquals(1, version.incarnation());
    assertEquals(0, version.size());
    assertEquals(end, version.end());
    assertEquals(0, writer.contested());
    assertNull(writer.contestedExample());
    assertEquals(List.of(), scan(table.cursor(0)));
    assertNull(get("a"));
    put(0, 1, 1, "a", "again");
    publish();
    assertEquals(end + 1, table.find(bytes("a")));
    assertEquals(List.of("a=again@0:1"), scan(table.cursor(0)));
  }

  @Test
  void takesAwkwardRecords() {
    byte[] large = new byte[2 << 20];
    new Random(1).nextBytes(large);
    byte[] longKey = Arrays.copyOf(large, 3_000);
    put(0, 0, -1, "", "empty key");
    put(0, 1, Long.MAX_VALUE, "empty value", "");
    writer.apply(0, 2, 5, bytes("large"), large);
    writer.apply(0, 1L << 60, -1, longKey, bytes("long key"));
    put(40_000, Long.MAX_VALUE, Long.MIN_VALUE, "far", "v");
    put(0, 3, Long.MAX_VALUE, "back", "v");
    publish();
    for (int round = 0; round < 2; round++) {
      assertEquals("empty key", get(""));
      assertEquals(-1, view.timestamp());
      assertEquals("", get("empty value"));
      assertEquals(Long.MAX_VALUE, view.timestamp());
      assertTrue(table.get(bytes("large"), view));
      assertArrayEquals(large, view.copyValue());
      assertTrue(table.get(longKey, view));
      assertEquals(1L << 60, view.offset());
      assertEquals(-1, view.timestamp());
      assertEquals("v", get("far"));
      assertEquals(40_000, view.partition());
      assertEquals(Long.MAX_VALUE, view.offset());
      assertEquals(Long.MIN_VALUE, view.timestamp());
      assertEquals(6, table.version().size());
      assertEquals(6, scan(table.cursor(0)).size());
      fill(0);
      delete(9, 40, 2, "filler0");
      delete(9, 41, 2, "filler1");
      for (int i = 0; i < 20; i++) {
        put(0, 3 + i, Long.MAX_VALUE, "back", "v".repeat(i == 19 ? 1 : 100));
      }
      clock.addAndGet(10);
      cleanAll(0);
      publish();
    }
  }

  @Test
  void manyPartitionsInOneSegment() {
    Table wide = new Table("wide", TableSettings.DEFAULT, clock::get);
    long[] next = new long[5_000];
    for (int p = 0; p < next.length; p++) {
      wide.writer().apply(p, 1_000_000L * p, p, bytes("key" + p), bytes("v"));
      next[p] = 1_000_000L * p + 1;
    }
    Version version = wide.writer().publish(Status.NONE);
    assertEquals(version.end(), version.before(next));
    Cursor cursor = wide.cursor(0);
    for (int p = 0; p < next.length; p++) {
      assertTrue(cursor.next(version, view));
      assertEquals(p, view.partition());
      assertEquals(1_000_000L * p, view.offset());
    }
  }

  @Test
  void aSecondWritingThreadIsRefused() throws InterruptedException {
    put(0, 1, 1, "a", "1");
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread other =
        new Thread(
            () -> {
              try {
                put(0, 2, 1, "a", "2");
              } catch (AssertionError e) {
                thrown.set(e);
              }
            });
    other.start();
    other.join();
    assertTrue(thrown.get() instanceof AssertionError);
  }

  /** On x86 a stress test does not notice when they are not. */
  @Test
  void whatReadersStartFromIsVolatile() throws NoSuchFieldException {
    assertTrue(Modifier.isVolatile(Table.class.getDeclaredField("version").getModifiers()));
    assertTrue(Modifier.isVolatile(Table.class.getDeclaredField("announced").getModifiers()));
    assertTrue(Modifier.isVolatile(Log.class.getDeclaredField("segments").getModifiers()));
  }

  @Test
  void settingsOutOfBoundsAreRefusedByName() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> new TableSettings(1023, 0.3))
            .getMessage();
    assertTrue(message.contains("segmentBytes") && message.contains("1023"), message);
    message =
        assertThrows(IllegalArgumentException.class, () -> new TableSettings(1024, Double.NaN))
            .getMessage();
    assertTrue(message.contains("dirtyRatio"), message);
  }

  @Test
  void aTinyTableIsCheap() {
    Table tiny = new Table("tiny", TableSettings.DEFAULT, clock::get);
    tiny.writer().apply(0, 1, 1, bytes("a"), bytes("1"));
    Version version = tiny.writer().publish(Status.NONE);
    assertTrue(version.logBytes() + version.indexBytes() < 20_000);
  }
}
