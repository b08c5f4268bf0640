package io.tablecast.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tablecast.table.Frontier;
import io.tablecast.table.Status;
import io.tablecast.table.Table;
import io.tablecast.table.TableSettings;
import io.tablecast.table.TableWriter;
import io.tablecast.wire.ValueFormat;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PageTest {
  private static final Status CAUGHT_UP = new Status(true, 0, Frontier.NONE);

  private final Table table = new Table("t", TableSettings.DEFAULT, () -> 0);
  private final TableWriter writer = table.writer();
  private long offset;

  @Test
  void pagesFollowTheKeysAsUnsignedBytes() {
    put(new byte[] {(byte) 0xff}, "4");
    put(new byte[] {0x7f}, "3");
    put(new byte[0], "1");
    put(new byte[] {0x7e, 0x7e}, "2");
    publish();
    assertEquals(List.of("1", "2", "3", "4"), values(read("", null, 10).entries()));
    assertEquals(List.of("1", "2", "3", "4"), values(all("", 1)));
    assertEquals(List.of("1", "2", "3", "4"), values(all("", 3)));
  }

  @Test
  void nextIsAbsentAtTheEndAlsoWhenThePageIsJustFull() {
    for (int i = 0; i < 4; i++) {
      put(bytes("k" + i), "1");
    }
    publish();
    assertNull(read("", null, 4).last());
    assertNotNull(read("", null, 3).last());
    assertNull(read("", bytes("k3"), 4).last());
  }

  @Test
  void deletedKeysAreNotThere() {
    for (int i = 0; i < 100; i++) {
      put(bytes("k" + i), "1");
    }
    for (int i = 0; i < 100; i++) {
      if (i % 10 != 0) {
        put(bytes("k" + i), null);
      }
    }
    publish();
    assertEquals(10, read("", null, 10).entries().size());
    assertNull(read("", null, 10).last());
    assertEquals(5, read("", null, 5).entries().size());
  }

  @Test
  void aPageEndsAfterAboutAMegabyte() {
    for (int i = 0; i < 5; i++) {
      put(bytes("k" + i), "x".repeat(700_000));
    }
    publish();
    assertEquals(2, read("", null, 10).entries().size());
    assertEquals(5, all("", 10).size());
  }

  @Test
  void aPrefixFilters() {
    put(bytes("a"), "1");
    put(bytes("ab"), "2");
    put(bytes("b"), "3");
    publish();
    assertEquals(List.of("1", "2"), values(all("a", 1)));
    assertEquals(List.of(), values(all("c", 1)));
  }

  @Test
  void pagesEqualASortedMapWhateverTheHistory() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    TreeMap<String, String> model = new TreeMap<>();
    for (int i = 0; i < 5_000; i++) {
      String key = "k" + random.nextInt(500);
      String value = random.nextInt(4) == 0 ? null : String.valueOf(i);
      put(bytes(key), value);
      if (value == null) {
        model.remove(key);
      } else {
        model.put(key, value);
      }
    }
    publish();
    List<String> expected = List.copyOf(model.values());
    int limit = 1 + random.nextInt(100);
    assertEquals(expected, values(all("", limit)), "seed " + seed);
    assertEquals(
        expected, values(lines()).stream().sorted(byModel(model)).toList(), "seed " + seed);
  }

  @Test
  void keysThatAreThereThroughoutAreFoundWhileTheTableChanges() throws Exception {
    int keys = 2_000;
    AtomicBoolean stop = new AtomicBoolean();
    CompletableFuture<Void> ready = new CompletableFuture<>();
    Thread feed =
        new Thread(
            () -> {
              for (int i = 0; i < keys; i++) {
                put(bytes("k" + i), "0");
              }
              publish();
              ready.complete(null);
              Random random = new Random(1);
              for (int n = 1; !stop.get(); n++) {
                for (int i = 0; i < 50; i++) {
                  put(bytes("k" + random.nextInt(keys)), String.valueOf(n));
                }
                publish();
                writer.clean(0);
              }
            });
    feed.start();
    try {
      ready.join();
      for (int i = 0; i < 20; i++) {
        assertEquals(keys, all("", 700).size());
        Map<String, String> seen = new HashMap<>();
        lines().forEach(line -> seen.put(field(line, "key"), field(line, "value")));
        assertEquals(keys, seen.size());
      }
    } finally {
      stop.set(true);
      feed.join();
    }
  }

  @Test
  void aStreamOfLinesBreaksWhenTheTableStartsOver() {
    put(bytes("a"), "1");
    publish();
    Lines lines = new Lines(table, new byte[0], ValueFormat.AUTO);
    writer.startOver();
    publish();
    assertTrue(lines.broken());
  }

  @Test
  void nextIsReadBackAndNothingElseIs() {
    assertArrayEquals(bytes("k"), Page.decode(Page.encode(bytes("k"))).orElseThrow());
    assertArrayEquals(new byte[0], Page.decode(Page.encode(new byte[0])).orElseThrow());
    assertTrue(Page.decode("").isEmpty());
    assertTrue(Page.decode("!").isEmpty());
    assertTrue(Page.decode("AAAA").isEmpty());
  }

  private void put(byte[] key, @Nullable String value) {
    writer.apply(0, offset++, -1, key, value == null ? null : bytes(value));
  }

  private void publish() {
    writer.publish(CAUGHT_UP);
  }

  private Page read(String prefix, byte @Nullable [] after, int limit) {
    return Page.read(table, new Page.Request(bytes(prefix), after, limit), ValueFormat.AUTO);
  }

  private List<byte[]> all(String prefix, int limit) {
    List<byte[]> all = new ArrayList<>();
    byte[] after = null;
    do {
      Page page = read(prefix, after, limit);
      assertTrue(page.entries().size() <= limit);
      all.addAll(page.entries());
      after = page.last();
    } while (after != null);
    return all;
  }

  private List<byte[]> lines() {
    Lines lines = new Lines(table, new byte[0], ValueFormat.AUTO);
    StringBuilder text = new StringBuilder();
    while (!lines.done()) {
      if (lines.wantsChanges()) {
        lines.readChanges();
      }
      text.append(new String(lines.next(), StandardCharsets.UTF_8));
    }
    return Arrays.stream(text.toString().split("\n", -1))
        .filter(line -> !line.isEmpty())
        .map(PageTest::bytes)
        .toList();
  }

  private static Comparator<String> byModel(TreeMap<String, String> model) {
    List<String> order = List.copyOf(model.values());
    return Comparator.comparingInt(order::indexOf);
  }

  private static List<String> values(List<byte[]> entries) {
    return entries.stream().map(e -> field(e, "value")).toList();
  }

  private static String field(byte[] entry, String name) {
    return String.valueOf(new JsonObject(new String(entry, StandardCharsets.UTF_8)).getValue(name));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
