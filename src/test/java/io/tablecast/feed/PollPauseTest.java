package io.tablecast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollPauseTest {
  private static final Duration INTERVAL = Duration.ofMillis(20);

  private final FakeChannel channel = new FakeChannel(new MockConsumer<>("earliest"));

  private void after(Duration interval, ConsumerRecords<byte[], byte[]> records) {
    new PollPause(channel.clients(), interval).after(records);
  }

  @Test
  void pollingThreadPausesForTheIntervalAfterAPollThatBroughtFew() {
    long start = System.nanoTime();
    after(INTERVAL, records(1, 10));
    assertEquals(1, channel.given());
    channel.run();
    assertTrue(System.nanoTime() - start >= INTERVAL.toNanos());
  }

  @Test
  void pauseEndsWhenThePollingThreadIsInterrupted() {
    after(Duration.ofDays(1), records(1, 10));
    Thread.currentThread().interrupt();
    channel.run();
    assertTrue(Thread.interrupted(), "the interruption is the connector's to see");
  }

  @Test
  void nothingPausesAfterMuchOrWithoutAnInterval() {
    after(INTERVAL, records(1_000, 10));
    after(Duration.ZERO, records(1, 10));
    assertEquals(0, channel.given());
  }

  @Test
  void nothingHappensWhenTheChannelIsGone() {
    new PollPause(FakeChannel.gone(), INTERVAL).after(records(1, 10));
    assertEquals(0, channel.given());
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
