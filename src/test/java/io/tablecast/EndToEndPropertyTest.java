package io.tablecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tablecast.testkit.KafkaTables;
import io.tablecast.testkit.Message;
import io.tablecast.testkit.TableModel;
import io.tablecast.testkit.TestKafka;
import io.tablecast.testkit.WsClient;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whatever a producer does and whenever clients come and go, in the end each holds the folded log,
 * byte for byte, and none saw a key go backwards. The same run again: {@code -Dtest.seed=…}.
 */
@QuarkusTest
@WithTestResource(
    value = KafkaTables.class,
    initArgs = {
      @ResourceArg(name = "topics", value = EndToEndPropertyTest.TOPIC + ":4"),
      @ResourceArg(name = "tablecast.limits.frame-bytes", value = "4096")
    })
class EndToEndPropertyTest {
  static final String TOPIC = "end-to-end";

  private static final int PARTITIONS = 4;
  private static final int KEYS = 150;
  private static final int CLIENTS = 6;
  private static final int BATCHES = 500;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TestKafka kafka = TestKafka.shared();
  private volatile boolean produced;

  @TestHTTPResource("/")
  String base = "";

  @Test
  void everyClientEndsUpWithTheFoldedLog() throws Exception {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("To repeat: -Dtest.seed=" + seed);
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<Visitor>> visitors = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Random random = new Random(seed + 1 + i);
        visitors.add(threads.submit(() -> comeAndGo(random)));
      }
      produce(new Random(seed));
      Map<Bytes, Bytes> fold = kafka.fold(TOPIC);
      assertFalse(fold.isEmpty());
      produced = true;
      for (Future<Visitor> future : visitors) {
        try (Visitor visitor = future.get()) {
          visitor.settle(fold);
        }
      }
      // One that comes after everything.
      try (Visitor late = new Visitor(new TableModel(List.of(), List.of()))) {
        late.settle(fold);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Opens subscriptions with all kinds of filters, reads a while, leaves, resumes; the last stays
   * open.
   */
  private Visitor comeAndGo(Random random) {
    TableModel model = new TableModel(someKeys(random), somePrefixes(random));
    while (true) {
      Visitor visitor = new Visitor(model);
      int messages = random.nextInt(60);
      for (int i = 0; i < messages && !produced; i++) {
        visitor.read(Duration.ofMillis(200));
      }
      if (produced) {
        return visitor;
      }
      assertEquals(List.of(), model.breaches());
      if (random.nextBoolean()) {
        visitor.close();
      } else {
        visitor.socket.abort();
      }
      if (random.nextBoolean()) {
        model = new TableModel(someKeys(random), somePrefixes(random));
      }
    }
  }

  private void produce(Random random) {
    for (int batch = 0; batch < BATCHES; batch++) {
      List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
      int size = 1 + random.nextInt(40);
      for (int i = 0; i < size; i++) {
        records.add(record(random));
      }
      int kind = random.nextInt(20);
      if (kind == 0) {
        kafka.transaction(true, records);
      } else if (kind == 1) {
        kafka.transaction(false, records);
      } else {
        kafka.sendAll(records);
      }
    }
    // An abort at the very end: the position must pass it all the same.
    kafka.transaction(false, List.of(record(random)));
  }

  private static ProducerRecord<byte[], byte[]> record(Random random) {
    int number = random.nextInt(KEYS);
    byte[] value = random.nextInt(4) == 0 ? null : value(random);
    return new ProducerRecord<>(TOPIC, number % PARTITIONS, key(number), value);
  }

  /** Text keys, one in twenty of them binary. */
  private static byte[] key(int number) {
    if (number % 20 == 7) {
      return new byte[] {(byte) 0xff, (byte) number, 0};
    }
    return text(keyText(number));
  }

  private static String keyText(int number) {
    return (number % 3 == 0 ? "sku:" : number % 3 == 1 ? "user:ä/" : "") + number;
  }

  private static byte[] value(Random random) {
    return switch (random.nextInt(9)) {
      case 0 -> text("{\"price\":" + random.nextInt(1000) + ".10}");
      case 1 -> text("{ \"n\" : 1234567890123456789012345678901234567890.000 , \"a\":[1, 2]}");
      case 2 -> text("null");
      case 3 -> text("-0.0e-400");
      case 4 -> text("not json \"\\ \u0001 \u20ac " + random.nextInt());
      case 5 -> new byte[0];
      case 6 -> bytes(random, 1 + random.nextInt(300));
      case 7 -> text("\"" + "x".repeat(random.nextInt(9000)) + "\"");
      default -> text("{\"id\":" + random.nextLong() + ",\"s\":\"\\u00e4\\n]}\"}");
    };
  }

  private static List<String> someKeys(Random random) {
    if (random.nextInt(3) != 0) {
      return List.of();
    }
    return random.ints(8, 0, KEYS).mapToObj(EndToEndPropertyTest::keyText).distinct().toList();
  }

  private static List<String> somePrefixes(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> List.of("sku:1", "user:");
      case 1 -> List.of("sku:");
      default -> List.of();
    };
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** One connection with one subscription. One thread at a time. */
  private final class Visitor implements AutoCloseable {
    private final TableModel model;
    private final WsClient socket;

    /** Goes on where the model was if it has a token. */
    Visitor(TableModel model) {
      this.model = model;
      StringBuilder path = new StringBuilder("/ws/" + TOPIC + "?meta=true");
      model.keys().forEach(key -> path.append("&key=").append(encode(key)));
      model.prefixes().forEach(prefix -> path.append("&prefix=").append(encode(prefix)));
      if (model.token() != null) {
        path.append("&resume=").append(encode(model.token()));
      }
      model.disconnected();
      socket = WsClient.connect(base, path.toString());
    }

    boolean read(Duration patience) {
      Message message = socket.poll(patience);
      if (message != null) {
        model.apply(message);
      }
      return message != null;
    }

    /** Reads until the map is the fold, and a little longer, since nothing may come after. */
    void settle(Map<Bytes, Bytes> fold) {
      Map<Bytes, Bytes> expected = new HashMap<>(fold);
      expected.keySet().removeIf(key -> !model.matches(key));
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!(model.live() && model.map().equals(expected)) && System.nanoTime() < end) {
        read(Duration.ofMillis(200));
      }
      while (read(Duration.ofMillis(300))) {
        // What still comes must change nothing.
      }
      assertEquals(List.of(), model.breaches());
      assertTrue(model.live(), () -> "not live: " + model);
      assertEquals(List.of(), differences(expected, model.map()), model::toString);
    }

    @Override
    public void close() {
      socket.close();
    }
  }

  private static List<String> differences(Map<Bytes, Bytes> expected, Map<Bytes, Bytes> actual) {
    Set<Bytes> keys = new TreeSet<>(expected.keySet());
    keys.addAll(actual.keySet());
    return keys.stream()
        .filter(key -> !Objects.equals(expected.get(key), actual.get(key)))
        .map(
            key ->
                key + ": expected " + brief(expected.get(key)) + ", held " + brief(actual.get(key)))
        .toList();
  }

  private static String brief(@Nullable Bytes value) {
    String text = String.valueOf(value);
    return text.length() <= 60 ? text : text.substring(0, 60) + "… (" + text.length() + ")";
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
