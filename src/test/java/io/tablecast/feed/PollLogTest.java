package io.tablecast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PollLogTest {
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);

  private final PollLog log = new PollLog();

  private static ConsumerRecords<byte[], byte[]> records(long offset) {
    return new ConsumerRecords<>(
        Map.of(PARTITION, List.of(new ConsumerRecord<>("t", 0, offset, new byte[0], new byte[0]))),
        Map.of(PARTITION, new OffsetAndMetadata(offset + 1)));
  }

  private static ConsumerRecords<byte[], byte[]> nothing(long position) {
    return new ConsumerRecords<>(Map.of(), Map.of(PARTITION, new OffsetAndMetadata(position)));
  }

  private static List<Long> positions(List<PollLog.Poll> polls) {
    return polls.stream().map(p -> p.next().get(PARTITION).offset()).toList();
  }

  @Test
  void batchIsMatchedWithItsPollAndTheEmptyOnesBeforeIt() {
    ConsumerRecords<byte[], byte[]> first = records(0);
    ConsumerRecords<byte[], byte[]> second = records(5);
    log.polled(this, first);
    log.polled(this, nothing(3));
    log.polled(this, second);
    log.polled(this, nothing(9));
    assertEquals(List.of(1L), positions(log.takeThrough(first)));
    assertEquals(List.of(3L, 6L), positions(log.takeThrough(second)));
    assertEquals(List.of(9L), positions(log.takeEmpty()));
  }

  @Test
  void emptyPollWaitsForTheRecordsBeforeIt() {
    ConsumerRecords<byte[], byte[]> batch = records(0);
    log.polled(this, batch);
    log.polled(this, nothing(3));
    assertTrue(log.takeEmpty().isEmpty());
    log.takeThrough(batch);
    assertEquals(List.of(3L), positions(log.takeEmpty()));
  }

  @Test
  void batchThatNeverArrivedShowsBeforeTheNext() {
    ConsumerRecords<byte[], byte[]> lost = records(0);
    ConsumerRecords<byte[], byte[]> next = records(1);
    log.polled(this, lost);
    log.polled(this, next);
    List<PollLog.Poll> taken = log.takeThrough(next);
    assertSame(lost, taken.get(0).batch());
    assertSame(next, taken.get(1).batch());
  }

  @Test
  void unknownBatchTakesNothing() {
    log.polled(this, nothing(3));
    assertTrue(log.takeThrough(records(0)).isEmpty());
    assertEquals(1, log.takeEmpty().size());
  }

  @Test
  void pollKeepsTheGenerationOfItsTime() {
    log.polled(this, nothing(1));
    log.generation("t", 1);
    log.polled(this, nothing(2));
    assertEquals(List.of(0, 1), log.takeEmpty().stream().map(p -> p.generation("t")).toList());
  }

  @Test
  void onlyEmptyPollsAreAnnounced() {
    AtomicInteger announced = new AtomicInteger();
    log.listen(announced::incrementAndGet, () -> {});
    log.polled(this, records(0));
    assertEquals(0, announced.get());
    log.polled(this, nothing(1));
    assertEquals(1, announced.get());
  }

  @Test
  void anotherConsumerIsAnnouncedAndTheFirstIsNot() {
    AtomicInteger announced = new AtomicInteger();
    log.listen(() -> {}, announced::incrementAndGet);
    log.polled("one", nothing(1));
    log.polled("one", nothing(2));
    assertEquals(0, announced.get());
    log.polled("another", nothing(0));
    assertEquals(1, announced.get());
  }
}
