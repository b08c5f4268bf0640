package io.tablecast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LogStartsTest {
  private static final TopicPartition ZERO = new TopicPartition("t", 0);
  private static final TopicPartition ONE = new TopicPartition("t", 1);

  /** Where the logs start; absent: the client does not tell. */
  private final Map<TopicPartition, Long> actual = new HashMap<>(Map.of(ZERO, 0L, ONE, 0L));

  private final List<TopicPartition> asked = new ArrayList<>();
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private final LogStarts starts = new LogStarts(this::lead);

  private OptionalLong lead(TopicPartition partition) {
    asked.add(partition);
    Long start = actual.get(partition);
    return start == null
        ? OptionalLong.empty()
        : OptionalLong.of(positions.getOrDefault(partition, 0L) - start);
  }

  /** A poll that leaves a partition at this position, with these records of it. */
  private Map<TopicPartition, Long> poll(TopicPartition partition, long position, long... offsets) {
    positions.put(partition, position);
    List<ConsumerRecord<byte[], byte[]>> records =
        LongStream.of(offsets)
            .mapToObj(
                o ->
                    new ConsumerRecord<>(
                        partition.topic(), partition.partition(), o, new byte[0], new byte[0]))
            .toList();
    return starts.passed(
        new ConsumerRecords<>(
            records.isEmpty() ? Map.of() : Map.of(partition, records),
            Map.of(partition, new OffsetAndMetadata(position))));
  }

  @Test
  void nothingIsAskedWhileNoOffsetIsMissing() {
    assertEquals(Map.of(), poll(ZERO, 3, 0, 1, 2));
    assertEquals(Map.of(), poll(ZERO, 5, 3, 4));
    assertEquals(List.of(), asked);
  }

  @Test
  void missingOffsetsBehindTheStartWereCompactedOrNeverSeen() {
    poll(ZERO, 3, 0, 1, 2);
    assertEquals(Map.of(), poll(ZERO, 9, 5, 8));
    assertEquals(Map.of(), poll(ZERO, 12));
    assertEquals(List.of(ZERO, ZERO), asked);
  }

  @Test
  void startBehindThePositionIsTold() {
    poll(ZERO, 3, 0, 1, 2);
    actual.put(ZERO, 7L);
    assertEquals(Map.of(ZERO, 7L), poll(ZERO, 9, 7, 8));
    assertEquals(Map.of(), poll(ZERO, 12, 11), "once");
  }

  @Test
  void startAtThePositionMeansThatAllBeforeItHadBeenRead() {
    poll(ZERO, 3, 0, 1, 2);
    actual.put(ZERO, 3L);
    assertEquals(Map.of(), poll(ZERO, 9, 5, 8));
    actual.put(ZERO, 10L);
    assertEquals(Map.of(ZERO, 10L), poll(ZERO, 11, 10), "one record was not read");
  }

  @Test
  void startIsToldAlsoIfNothingIsLeft() {
    poll(ZERO, 3, 0, 1, 2);
    actual.put(ZERO, 7L);
    assertEquals(Map.of(ZERO, 7L), poll(ZERO, 7));
  }

  @Test
  void startIsToldAlsoIfWhatFollowsItIsNotTheFirstRecord() {
    poll(ZERO, 3, 0, 1, 2);
    actual.put(ZERO, 7L);
    assertEquals(Map.of(ZERO, 7L), poll(ZERO, 20, 15, 16));
  }

  @Test
  void firstPollIsExpectedAtTheBeginning() {
    actual.put(ZERO, 7L);
    assertEquals(Map.of(ZERO, 7L), poll(ZERO, 8, 7));
    assertEquals(Map.of(), poll(ONE, 8, 7), "compacted");
  }

  @Test
  void partitionsAreToldApart() {
    poll(ZERO, 3, 0, 1, 2);
    poll(ONE, 3, 0, 1, 2);
    actual.put(ONE, 7L);
    assertEquals(Map.of(), poll(ZERO, 9, 8));
    assertEquals(Map.of(ONE, 7L), poll(ONE, 9, 8));
  }

  @Test
  void topicThatIsReadAgainIsExpectedAtTheBeginning() {
    actual.put(ZERO, 3L);
    poll(ZERO, 5, 3, 4);
    assertEquals(Map.of(), poll(ZERO, 6, 5));
    starts.forget("another");
    assertEquals(Map.of(), poll(ZERO, 8, 7));
    starts.forget("t");
    assertEquals(Map.of(ZERO, 3L), poll(ZERO, 5, 3, 4));
    starts.forgetAll();
    assertEquals(Map.of(ZERO, 3L), poll(ZERO, 5, 3, 4));
  }

  @Test
  void startThatIsNotToldIsNotGuessed() {
    actual.remove(ZERO);
    assertEquals(Map.of(), poll(ZERO, 9, 8));
  }
}
