package io.tablecast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollPauseTest {
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
