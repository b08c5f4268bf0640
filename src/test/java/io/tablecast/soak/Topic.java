package io.tablecast.soak;

import io.tablecast.testkit.TestKafka;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A topic and what is done to it at random. One thread, but for {@link #recreatedAgo} and what
 * depends on the name alone.
 */
final class Topic {
  private static final AtomicLong SERIAL = new AtomicLong();
  private static final int KEYS = 40;
  private static final int MOST_PARTITIONS = 6;

  private final TestKafka kafka;
  private final Random random;
  private final String name;
  private final boolean contested;
  private final Map<String, String> settings;
  private int partitions;
  private volatile long recreatedAt = System.nanoTime() - Duration.ofDays(1).toNanos();

  /**
   * @param contested whether keys go to several partitions; then there are no tombstones, since one
   *     that Kafka has compacted away brings an old value back, which is no fault of ours
   * @param deleteRetention in ms
   */
  Topic(TestKafka kafka, Random random, String name, boolean contested, long deleteRetention) {
    this.kafka = kafka;
    this.random = random;
    this.name = name;
    this.contested = contested;
    settings =
        Map.of(
            "cleanup.policy", "compact,delete",
            "retention.ms", "-1",
            "segment.ms", "500",
            "segment.bytes", "1048576",
            "min.cleanable.dirty.ratio", "0.01",
            "delete.retention.ms", Long.toString(deleteRetention));
    create();
  }

  String name() {
    return name;
  }

  private void create() {
    partitions = 1 + random.nextInt(3);
    Awaitility.await("topic " + name + " can be created")
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(
            () -> {
              kafka.createTopic(name, partitions, settings);
              return true;
            });
  }

  /** Fewer, as many or more partitions and records under the same name. */
  void recreate() {
    recreatedAt = System.nanoTime();
    kafka.deleteTopic(name);
    create();
    kafka.forgetProducer();
    recreatedAt = System.nanoTime();
    for (int i = random.nextInt(4); i > 0; i--) {
      produce();
    }
  }

  /** Whether the topic has been created anew within this time. */
  boolean recreatedWithin(Duration time) {
    return System.nanoTime() - recreatedAt < time.toNanos();
  }

  void produce() {
    kafka.sendAll(records(1 + random.nextInt(60)));
  }

  void transaction() {
    kafka.transaction(random.nextBoolean(), records(1 + random.nextInt(20)));
  }

  TestKafka.OpenTransaction openTransaction() {
    TestKafka.OpenTransaction open = kafka.open();
    records(1 + random.nextInt(5)).forEach(open::send);
    return open;
  }

  void grow() {
    if (partitions < MOST_PARTITIONS) {
      partitions++;
      kafka.growTopic(name, partitions);
      kafka.forgetProducer();
    }
  }

  /** Mostly some of what is there; now and then all, just after more was written. */
  void deleteRecords() {
    int partition = random.nextInt(partitions);
    if (random.nextInt(4) == 0) {
      produce();
      kafka.deleteRecords(name, partition, -1);
    } else {
      long end = kafka.end(name, partition);
      kafka.deleteRecords(name, partition, (long) (random.nextDouble() * end));
    }
  }

  private List<ProducerRecord<byte[], byte[]>> records(int count) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      records.add(record());
    }
    return records;
  }

  private ProducerRecord<byte[], byte[]> record() {
    int partition = random.nextInt(partitions);
    int number = random.nextInt(KEYS);
    if (contested) {
      // A few timestamps: ties, and newer records with older times.
      long time = System.currentTimeMillis() - random.nextInt(5);
      return new ProducerRecord<>(name, partition, time, text("c/" + number), value(random));
    }
    byte[] value = random.nextInt(4) == 0 ? null : value(random);
    return new ProducerRecord<>(name, partition, key(partition, number), value);
  }

  /** A key keeps to its partition. One in twenty is binary. */
  private static byte[] key(int partition, int number) {
    return number % 20 == 7
        ? new byte[] {(byte) 0xff, (byte) partition, (byte) number}
        : text("p" + partition + "/" + number);
  }

  /** No two values are the same. */
  private static byte @Nullable [] value(Random random) {
    long n = SERIAL.incrementAndGet();
    return switch (random.nextInt(7)) {
      case 0 -> text("{ \"n\" : " + n + ".00 , \"a\":[1, 2]}");
      case 1 -> text(n + "");
      case 2 -> text("not json \"\\ \u0001 \u20ac " + n);
      case 3 ->
          new byte[] {(byte) 0xfe, (byte) (n >> 24), (byte) (n >> 16), (byte) (n >> 8), (byte) n};
      case 4 -> text("\"" + n + "x".repeat(random.nextInt(3000)) + "\"");
      default -> text("{\"n\":" + n + "}");
    };
  }

  /** Keys of a filter; may be none. */
  static List<String> someKeys(Random random) {
    if (random.nextInt(3) != 0) {
      return List.of();
    }
    List<String> keys = new ArrayList<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      int number = random.nextInt(KEYS);
      keys.add(random.nextBoolean() ? "c/" + number : "p" + random.nextInt(4) + "/" + number);
    }
    return keys.stream().distinct().toList();
  }

  /** Prefixes of a filter; may be none. */
  static List<String> somePrefixes(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> List.of("p0/", "p1/1", "c/1");
      case 1 -> List.of("p" + random.nextInt(4));
      default -> List.of();
    };
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
