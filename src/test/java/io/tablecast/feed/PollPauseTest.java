package io.tablecast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumer;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollPauseTest {
  private static final Duration INTERVAL = Duration.ofMillis(20);

  /** What was given to the polling thread, which has not run it yet. */
  private final List<Consumer<Object>> given = new ArrayList<>();

  private void after(Duration interval, ConsumerRecords<byte[], byte[]> records) {
    new PollPause(clients(channel()), interval).after(records);
  }

  @Test
  void pollingThreadPausesForTheIntervalAfterAPollThatBroughtFew() {
    long start = System.nanoTime();
    after(INTERVAL, records(1, 10));
    assertEquals(1, given.size());
    given.get(0).accept(new MockConsumer<>("earliest"));
    assertTrue(System.nanoTime() - start >= INTERVAL.toNanos());
  }

  @Test
  void pauseEndsWhenThePollingThreadIsInterrupted() {
    after(Duration.ofDays(1), records(1, 10));
    Thread.currentThread().interrupt();
    given.get(0).accept(new MockConsumer<>("earliest"));
    assertTrue(Thread.interrupted(), "the interruption is the connector's to see");
  }

  @Test
  void nothingPausesAfterMuchOrWithoutAnInterval() {
    after(INTERVAL, records(1_000, 10));
    after(Duration.ZERO, records(1, 10));
    assertEquals(List.of(), given);
  }

  @Test
  void nothingHappensWhenTheChannelIsGone() {
    new PollPause(clients(null), INTERVAL).after(records(1, 10));
    assertEquals(List.of(), given);
  }

  private static KafkaClientService clients(@Nullable Object channel) {
    return fake(KafkaClientService.class, (method, arguments) -> channel);
  }

  @SuppressWarnings("unchecked")
  private KafkaConsumer<?, ?> channel() {
    return fake(
        KafkaConsumer.class,
        (method, arguments) -> {
          assertEquals("runOnPollingThread", method);
          given.add((Consumer<Object>) arguments[0]);
          return Uni.createFrom().voidItem();
        });
  }

  private static <T> T fake(Class<T> type, BiFunction<String, Object[], @Nullable Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.apply(method.getName(), arguments)));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 10, false",
    "999, 10, false",
    "1000, 10, true",
    "1, 262143, false",
    "1, 262144, true",
    "64, 4095, false",
    "64, 4096, true",
    "999, -1, false"
  })
  void consumerWithMuchToReadIsNotHeldUp(int records, int valueBytes, boolean much) {
    assertEquals(much, PollPause.isMuch(records(records, valueBytes)));
  }

  /** Records without keys; a size of -1 is a tombstone's. */
  private static ConsumerRecords<byte[], byte[]> records(int count, int valueBytes) {
    ConsumerRecord<byte[], byte[]> one =
        new ConsumerRecord<>(
            "t",
            0,
            0,
            0,
            TimestampType.CREATE_TIME,
            -1,
            valueBytes,
            null,
            null,
            new RecordHeaders(),
            Optional.empty());
    return new ConsumerRecords<>(
        Map.of(new TopicPartition("t", 0), Collections.nCopies(count, one)), Map.of());
  }
}
