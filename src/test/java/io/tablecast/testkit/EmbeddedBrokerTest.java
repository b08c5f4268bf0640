package io.tablecast.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

class EmbeddedBrokerTest {
  @Test
  void keepsItsLogOverARestartAndFoldsIt() {
    try (EmbeddedBroker broker = EmbeddedBroker.launch()) {
      TestKafka kafka = broker.kafka();
      kafka.createTopic("t", 2);
      kafka.put("t", "a", "1");
      kafka.put("t", "b", "2");
      kafka.tombstone("t", "a");
      kafka.transaction(true, List.of(record("c", "3"), record("d", "4")));
      kafka.transaction(false, List.of(record("b", "aborted")));
      // The same key in two partitions: the newer timestamp wins, at a tie the higher partition.
      kafka.send(new ProducerRecord<>("t", 1, 100L, bytes("e"), bytes("old")));
      kafka.send(new ProducerRecord<>("t", 0, 200L, bytes("e"), bytes("new")));
      kafka.send(new ProducerRecord<>("t", 1, 100L, bytes("f"), bytes("higher")));
      kafka.send(new ProducerRecord<>("t", 0, 100L, bytes("f"), bytes("lower")));
      broker.stop();
      broker.start();
      Map<Bytes, Bytes> expected =
          Map.of(
              key("b"),
              key("2"),
              key("c"),
              key("3"),
              key("d"),
              key("4"),
              key("e"),
              key("new"),
              key("f"),
              key("higher"));
      assertEquals(expected, kafka.fold("t"));
    }
  }

  private static ProducerRecord<byte[], byte[]> record(String key, String value) {
    return new ProducerRecord<>("t", bytes(key), bytes(value));
  }

  private static Bytes key(String text) {
    return Bytes.wrap(bytes(text));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
