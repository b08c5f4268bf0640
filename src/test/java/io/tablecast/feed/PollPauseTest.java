package io.tablecast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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

  private static final TopicPartition PARTITION = new TopicPartition("t", 0);

  private final LaggingConsumer consumer = new LaggingConsumer();
  private final FakeChannel channel = new FakeChannel(consumer);

  /** Tells only of partitions that it has. */
  private static final class LaggingConsumer extends MockConsumer<byte[], byte[]> {
    long lag;

    LaggingConsumer() {
      super("earliest");
      assign(Set.of(PARTITION));
    }

    @Override
    public synchronized OptionalLong currentLag(TopicPartition partition) {
      if (!assignment().contains(partition)) {
        throw new IllegalStateException("You can only check the position for assigned partitions");
      }
      return OptionalLong.of(lag);
    }
  }

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

  @ParameterizedTest
  @CsvSource({"0, true", "999, true", "1000, false", "1000000, false"})
  void consumerThatIsFarBehindIsNotHeldUpByPollsThatBringFew(long lag, boolean pauses) {
    consumer.lag = lag;
    after(INTERVAL, records(500, 10));
    long start = System.nanoTime();
    channel.run();
    assertEquals(pauses, System.nanoTime() - start >= INTERVAL.toNanos());
  }

  @Test
  void nothingIsAskedOfAPartitionThatIsNotAssignedAnyMore() {
    consumer.assign(Set.of());
    consumer.lag = 1_000_000;
    pollingThreadPausesForTheIntervalAfterAPollThatBroughtFew();
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
  void consumerIsNotHeldUpByPollsThatBringMuch(int records, int valueBytes, boolean much) {
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
    return new ConsumerRecords<>(Map.of(PARTITION, Collections.nCopies(count, one)), Map.of());
  }
}
