package io.tablecast.load;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes to the broker. One thread, which is not that of the clients. */
final class Writing implements AutoCloseable {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final String bootstrap;
  private final int valueBytes;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Random random = new Random(Settings.SEED);
  private long failures;

  Writing(String bootstrap, int valueBytes) {
    this.bootstrap = bootstrap;
    this.valueBytes = valueBytes;
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap, "batch.size", 131_072, "linger.ms", 1),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  void createTopic(String topic, int partitions) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      NewTopic wanted =
          new NewTopic(topic, partitions, (short) 1).configs(Map.of("cleanup.policy", "compact"));
      admin.createTopics(List.of(wanted)).all().toCompletionStage().toCompletableFuture().join();
    }
  }

  /** Writes each key from 0 on once. */
  void fill(String topic, int keys) {
    for (int i = 0; i < keys; i++) {
      put(topic, i);
    }
    flush();
  }

  /**
   * Writes records of which a fifth overwrite a key and a twentieth delete one, so that four fifths
   * are new keys, also in comparison with what an earlier call has written.
   */
  void history(String topic, int records) {
    for (int i = 0; i < records; i++) {
      int kind = i % 20;
      if (kind == 7) {
        send(topic, random.nextLong(keys), null);
      } else if (kind % 7 == 3) {
        put(topic, random.nextLong(keys));
      } else {
        put(topic, keys++);
      }
    }
    flush();
  }

  /**
   * Writes at a rate, in steps of 10 ms, to all keys in turn, in an order that is not theirs.
   *
   * @return records written
   */
  long play(String topic, int keys, double perSecond, double seconds) {
    long start = System.nanoTime();
    long end = start + (long) (seconds * 1e9);
    long written = 0;
    for (long tick = start; tick < end; tick += TICK_NANOS) {
      while (System.nanoTime() < tick) {
        LockSupport.parkNanos(tick - System.nanoTime());
      }
      long due = (long) ((tick - start) / 1e9 * perSecond);
      while (written < due) {
        put(topic, next++ * STRIDE % keys);
        written++;
      }
    }
    flush();
    return written;
  }

  private long next;

  /** How many the history has. */
  private long keys;

  /** A prime: any part of the keys, such as those that somebody asked for, is met evenly. */
  private static final long STRIDE = 48_271;

  void put(String topic, long key) {
    send(topic, key, Data.value(Data.now(), valueBytes));
  }

  private void send(String topic, long key, byte @org.jspecify.annotations.Nullable [] value) {
    producer.send(
        new ProducerRecord<>(topic, Data.key(key), value),
        (metadata, failure) -> failures += failure == null ? 0 : 1);
  }

  void flush() {
    producer.flush();
    if (failures > 0) {
      throw new IllegalStateException(failures + " records could not be written");
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
