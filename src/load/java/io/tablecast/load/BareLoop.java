package io.tablecast.load;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.utils.Bytes;

/**
 * Reads the topic once from its beginning: {@code poll} drops the records, {@code map} keeps them
 * in a HashMap.
 */
final class BareLoop {
  private BareLoop() {}

  public static void main(String[] args) throws java.io.IOException {
    boolean keep = args[0].equals("map");
    Map<Bytes, byte[]> map = new HashMap<>();
    long[] payload = new long[1];
    try (KafkaConsumer<byte[], byte[]> consumer = Polling.open(args[1], Data.TOPIC, true)) {
      long start = System.nanoTime();
      long records =
          Polling.toEnd(
              consumer,
              batch -> {
                for (ConsumerRecord<byte[], byte[]> r : batch) {
                  if (!keep) {
                    payload[0] += r.serializedValueSize();
                  } else if (r.value() == null) {
                    map.remove(Bytes.wrap(r.key()));
                  } else {
                    map.put(Bytes.wrap(r.key()), r.value());
                  }
                }
              });
      System.out.println("DONE " + records + " " + (System.nanoTime() - start));
    }
    // Stays until it has been looked at.
    while (System.in.read() >= 0) {
      continue;
    }
    System.exit(map.size() < 0 ? 1 : 0);
  }
}
