package io.tablecast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PollLogTest {
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);

  /** With logs that start at the last offset before the position. */
  private final PollLog log = new PollLog(new LogStarts(p -> OptionalLong.of(1)));

  private static ConsumerRecord<byte[], byte[]> record(long offset) {
    return new ConsumerRecord<>("t", 0, offset, new byte[0], new byte[0]);
  }

  private static ConsumerRecords<byte[], byte[]> records(long offset) {
    return new ConsumerRecords<>(
        Map.of(PARTITION, List.of(record(offset))),
        Map.of(PARTITION, new OffsetAndMetadata(offset + 1)));
  }

  private static ConsumerRecords<byte[], byte[]> nothing(long position) {
    return new ConsumerRecords<>(Map.of(), Map.of(PARTITION, new OffsetAndMetadata(position)));
  }

  private static List<Long> positions(List<PollLog.Poll> polls) {
    return polls.stream().map(p -> p.next().get(PARTITION).offset()).toList();
  }

  /** Takes all that waits, as the feed does. */
  private List<PollLog.Poll> takeAll() {
    List<PollLog.Poll> taken = new ArrayList<>();
    for (PollLog.Poll poll = log.take(); poll != null; poll = log.take()) {
      taken.add(poll);
    }
    return taken;
  }

  @Test
  void pollsAreTakenOnceInTheirOrderWithAndWithoutRecords() {
    log.polled(this, records(0));
    log.polled(this, nothing(3));
    log.polled(this, records(5));
    assertEquals(List.of(1L, 3L, 6L), positions(takeAll()));
    log.polled(this, nothing(9));
    assertEquals(List.of(9L), positions(takeAll()));
    assertNull(log.take());
  }

  @Test
  void pollWithRecordsIsBehindUntilItHasBeenApplied() {
    log.polled(this, records(0));
    log.polled(this, nothing(3));
    log.polled(this, records(5));
    List<PollLog.Poll> taken = takeAll();
    assertEquals(2, log.behind());
    taken.forEach(log::applied);
    assertEquals(0, log.behind());
  }

  @Test
  void recordsAreKeptAndOneStandsInForThemAll() {
    ConsumerRecords<byte[], byte[]> two =
        new ConsumerRecords<>(
            Map.of(PARTITION, List.of(record(7), record(8))),
            Map.of(PARTITION, new OffsetAndMetadata(9)));
    ConsumerRecords<byte[], byte[]> standIn = log.polled(this, two);
    assertEquals(1, standIn.count());
    assertEquals(two.nextOffsets(), standIn.nextOffsets());
    assertSame(two, takeAll().get(0).records());
  }

  @Test
  void nothingStandsInForAPollWithoutRecords() {
    assertTrue(log.polled(this, nothing(3)).isEmpty());
  }

  @Test
  void pollKeepsTheGenerationOfItsTime() {
    log.polled(this, nothing(1));
    log.generation("t", 1);
    log.polled(this, nothing(2));
    assertEquals(List.of(0, 1), takeAll().stream().map(p -> p.generation("t")).toList());
  }

  @Test
  void listenerIsToldWhatKindOfPollItWas() {
    List<String> told = listen();
    log.polled(this, records(0));
    log.polled(this, nothing(1));
    assertEquals(List.of("records", "empty"), told);
  }

  @Test
  void anotherConsumerIsAnnouncedBeforeItsFirstPollAndTheFirstConsumerIsNot() {
    List<String> told = listen();
    log.polled("one", nothing(1));
    log.polled("one", nothing(2));
    log.polled("another", nothing(0));
    assertEquals(List.of("empty", "empty", "new", "empty"), told);
  }

  /** The Kafka client logs what an interceptor throws, and hands the poll on. */
  @Test
  void pollThatCouldNotBeKeptIsAnnouncedAsLost() {
    PollLog failing =
        new PollLog(
            new LogStarts(
                p -> {
                  throw new IllegalStateException("no metrics");
                }));
    List<String> told = listen(failing);
    assertThrows(IllegalStateException.class, () -> failing.polled(this, records(5)));
    assertEquals(List.of("lost: no metrics"), told);
    assertNull(failing.take());
  }

  private List<String> listen() {
    return listen(log);
  }

  private static List<String> listen(PollLog log) {
    List<String> told = new ArrayList<>();
    log.listen(
        new PollLog.Listener() {
          @Override
          public void emptyPoll() {
            told.add("empty");
          }

          @Override
          public void records(ConsumerRecords<?, ?> records) {
            told.add("records");
          }

          @Override
          public void newConsumer() {
            told.add("new");
          }

          @Override
          public void lost(RuntimeException reason) {
            told.add("lost: " + reason.getMessage());
          }
        });
    return told;
  }

  private List<Map<TopicPartition, Long>> passed() {
    return takeAll().stream().map(PollLog.Poll::passed).toList();
  }

  @Test
  void pollTellsTheStartThatItJumpedTo() {
    log.polled(this, records(0));
    log.polled(this, records(5));
    log.polled(this, records(6));
    assertEquals(List.of(Map.of(), Map.of(PARTITION, 5L), Map.of()), passed());
  }

  @Test
  void newGenerationAndNewConsumerAreExpectedAtTheBeginning() {
    log.polled("one", records(5));
    log.generation("t", 1);
    log.polled("one", records(5));
    log.generation("t", 1);
    log.polled("one", records(6));
    log.polled("another", records(5));
    assertEquals(
        List.of(Map.of(PARTITION, 5L), Map.of(PARTITION, 5L), Map.of(), Map.of(PARTITION, 5L)),
        passed());
  }
}
