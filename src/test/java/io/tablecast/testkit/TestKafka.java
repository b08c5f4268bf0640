package io.tablecast.testkit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/** What tests do to a broker. Every method waits until the broker has done it. Any thread. */
public final class TestKafka {
  /** Settings of a compacted topic that is cleaned within seconds when it is written to. */
  public static final Map<String, String> QUICKLY_COMPACTED =
      Map.of(
          "cleanup.policy", "compact",
          "segment.ms", "200",
          "min.cleanable.dirty.ratio", "0.01",
          "delete.retention.ms", "100",
          "segment.bytes", "1048576");

  private static final Map<String, KafkaProducer<byte[], byte[]>> PRODUCERS = new HashMap<>();

  private final String bootstrap;
  private final Runnable start;
  private final Runnable stop;

  TestKafka(String bootstrap, Runnable start, Runnable stop) {
    this.bootstrap = bootstrap;
    this.start = start;
    this.stop = stop;
  }

  /** The broker that all tests of this JVM share; started by the first call. */
  public static TestKafka shared() {
    // Quarkus loads test classes anew for each application: the one broker lives in the loader that
    // they have in common.
    try {
      Class<?> owner =
          Class.forName(EmbeddedBroker.class.getName(), true, ClassLoader.getSystemClassLoader());
      Map<?, ?> handle = (Map<?, ?>) owner.getMethod("sharedHandle").invoke(null);
      return new TestKafka(
          (String) handle.get("bootstrap"),
          (Runnable) handle.get("start"),
          (Runnable) handle.get("stop"));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the shared broker did not start", e);
    }
  }

  /** What goes into {@code kafka.bootstrap.servers}. */
  public String bootstrap() {
    return bootstrap;
  }

  /** Stops the broker; its log stays. */
  public void stopBroker() {
    stop.run();
  }

  /** Starts the broker again on the same port and log. */
  public void startBroker() {
    start.run();
  }

  /** Creates a compacted topic that is not cleaned during a test. */
  public void createTopic(String topic, int partitions) {
    createTopic(topic, partitions, Map.of("cleanup.policy", "compact"));
  }

  /** Creates a topic with these topic settings. */
  public void createTopic(String topic, int partitions, Map<String, String> settings) {
    NewTopic wanted = new NewTopic(topic, partitions, (short) 1).configs(settings);
    admin(admin -> get(admin.createTopics(List.of(wanted)).all()));
  }

  /** Creates a compacted topic unless there is one of this name. */
  public void ensureTopic(String topic, int partitions) {
    admin(
        admin -> {
          if (!get(admin.listTopics().names()).contains(topic)) {
            createTopic(topic, partitions);
          }
        });
  }

  /** Deletes a topic. */
  public void deleteTopic(String topic) {
    admin(admin -> get(admin.deleteTopics(List.of(topic)).all()));
  }

  /** Grows a topic to this many partitions. */
  public void growTopic(String topic, int partitions) {
    admin(
        admin ->
            get(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions))).all()));
  }

  /** Moves the start of a partition's log up to this offset. */
  public void deleteRecords(String topic, int partition, long before) {
    Map<TopicPartition, RecordsToDelete> what =
        Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(before));
    admin(admin -> get(admin.deleteRecords(what).all()));
  }

  /** Writes a text value with a text key, to the partition that Kafka chooses for the key. */
  public RecordMetadata put(String topic, String key, String value) {
    return send(new ProducerRecord<>(topic, bytes(key), bytes(value)));
  }

  /** Writes a tombstone. */
  public RecordMetadata tombstone(String topic, String key) {
    return send(new ProducerRecord<>(topic, bytes(key), null));
  }

  /** Writes one record to this partition; a null value is a tombstone. */
  public RecordMetadata send(
      String topic, int partition, byte @Nullable [] key, byte @Nullable [] value) {
    return send(new ProducerRecord<>(topic, partition, key, value));
  }

  /** Writes one record. */
  public RecordMetadata send(ProducerRecord<byte[], byte[]> record) {
    return get(producer().send(record));
  }

  /** Writes records in their order. */
  public void sendAll(Collection<ProducerRecord<byte[], byte[]>> records) {
    KafkaProducer<byte[], byte[]> producer = producer();
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (ProducerRecord<byte[], byte[]> record : records) {
      Future<RecordMetadata> future = producer.send(record);
      if (future.isDone()) {
        get(future); // one that failed has waited long: the others would, too
      }
      sent.add(future);
    }
    sent.forEach(TestKafka::get);
  }

  /**
   * Lets the next records be written by a producer that knows nothing of the topics yet: one that
   * has known a topic before it was created again may go on waiting for its new partitions. Only
   * while nobody writes.
   */
  public void forgetProducer() {
    synchronized (PRODUCERS) {
      KafkaProducer<byte[], byte[]> old = PRODUCERS.remove(bootstrap);
      if (old != null) {
        old.close();
      }
    }
  }

  /** Writes records in one transaction, which is then committed or aborted. */
  public void transaction(boolean commit, Collection<ProducerRecord<byte[], byte[]>> records) {
    Map<String, Object> settings = new HashMap<>(producerSettings());
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "test-" + UUID.randomUUID());
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
      producer.initTransactions();
      producer.beginTransaction();
      records.forEach(producer::send);
      producer.flush();
      if (commit) {
        producer.commitTransaction();
      } else {
        producer.abortTransaction();
      }
    }
  }

  /** Begins a transaction, which stays open until it is told how to end. */
  public OpenTransaction open() {
    Map<String, Object> settings = new HashMap<>(producerSettings());
    settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "test-" + UUID.randomUUID());
    KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings);
    producer.initTransactions();
    producer.beginTransaction();
    return new OpenTransaction(producer);
  }

  /** A transaction that is open; closing it without a commit aborts it. One thread. */
  public static final class OpenTransaction implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;

    private OpenTransaction(KafkaProducer<byte[], byte[]> producer) {
      this.producer = producer;
    }

    /** Writes one record. */
    public RecordMetadata send(ProducerRecord<byte[], byte[]> record) {
      return get(producer.send(record));
    }

    /** Commits. */
    public void commit() {
      producer.commitTransaction();
    }

    @Override
    public void close() {
      producer.close();
    }
  }

  /** The offset after the last one that a read_committed reader of the partition can get to. */
  public long end(String topic, int partition) {
    TopicPartition tp = new TopicPartition(topic, partition);
    try (Admin admin = admin()) {
      return get(admin
              .listOffsets(
                  Map.of(tp, OffsetSpec.latest()),
                  new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
              .partitionResult(tp))
          .offset();
    }
  }

  /** What a new read_committed reader of the topic holds in the end: key to value. */
  public Map<Bytes, Bytes> fold(String topic) {
    Map<Bytes, Bytes> map = new HashMap<>();
    foldRecords(topic).forEach((key, record) -> map.put(key, Bytes.wrap(record.value())));
    return map;
  }

  /**
   * The records behind {@link #fold}. In a partition the later offset wins; between partitions the
   * newer timestamp, at a tie the higher partition. Keys whose winner is a tombstone are absent,
   * records without a key are passed over.
   */
  public Map<Bytes, ConsumerRecord<byte[], byte[]>> foldRecords(String topic) {
    Map<Bytes, Map<Integer, ConsumerRecord<byte[], byte[]>>> newest = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : read(topic)) {
      if (record.key() != null) {
        newest
            .computeIfAbsent(Bytes.wrap(record.key()), key -> new HashMap<>())
            .put(record.partition(), record);
      }
    }
    Map<Bytes, ConsumerRecord<byte[], byte[]>> map = new HashMap<>();
    newest.forEach(
        (key, byPartition) -> {
          ConsumerRecord<byte[], byte[]> winner =
              Collections.max(byPartition.values(), TestKafka::byTimeThenPartition);
          if (winner.value() != null) {
            map.put(key, winner);
          }
        });
    return map;
  }

  /** All records of a topic up to its last stable offsets, partition by partition as they came. */
  public List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    Map<String, Object> settings =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrap,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "earliest",
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>();
      consumer
          .partitionsFor(topic)
          .forEach(p -> partitions.add(new TopicPartition(topic, p.partition())));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }

  /** The names of all topics. */
  public Set<String> topics() {
    try (Admin admin = admin()) {
      return get(admin.listTopics().names());
    }
  }

  /** A new admin client for what is not here; to be closed. */
  public Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrap));
  }

  static void closeProducer(String bootstrap) {
    synchronized (PRODUCERS) {
      KafkaProducer<byte[], byte[]> producer = PRODUCERS.remove(bootstrap);
      if (producer != null) {
        producer.close(Duration.ZERO);
      }
    }
  }

  private static int byTimeThenPartition(ConsumerRecord<?, ?> a, ConsumerRecord<?, ?> b) {
    int byTime = Long.compare(a.timestamp(), b.timestamp());
    return byTime != 0 ? byTime : Integer.compare(a.partition(), b.partition());
  }

  private void admin(Consumer<Admin> action) {
    try (Admin admin = admin()) {
      action.accept(admin);
    }
  }

  private KafkaProducer<byte[], byte[]> producer() {
    synchronized (PRODUCERS) {
      return PRODUCERS.computeIfAbsent(bootstrap, b -> new KafkaProducer<>(producerSettings()));
    }
  }

  private Map<String, Object> producerSettings() {
    return Map.of(
        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
        bootstrap,
        ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
        ByteArraySerializer.class,
        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
        ByteArraySerializer.class,
        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
        10_000_000);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static <T> T get(Future<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the broker", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
