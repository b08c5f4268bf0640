package io.tablecast.load;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.Stores;

/** Kafka Streams' GlobalKTable with a store in memory: says when it has restored the topic. */
final class GlobalTable {
  private GlobalTable() {}

  public static void main(String[] args) throws IOException {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "load-" + System.nanoTime());
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
    settings.put(
        StreamsConfig.STATE_DIR_CONFIG, Files.createTempDirectory("load-streams").toString());
    settings.put("max.poll.records", 5000);
    settings.put("max.partition.fetch.bytes", 4_194_304);
    StreamsBuilder builder = new StreamsBuilder();
    builder.globalTable(
        Data.TOPIC,
        Consumed.with(Serdes.Bytes(), Serdes.ByteArray()),
        Materialized.<Bytes, byte[]>as(Stores.inMemoryKeyValueStore("table"))
            .withKeySerde(Serdes.Bytes())
            .withValueSerde(Serdes.ByteArray()));
    KafkaStreams streams = new KafkaStreams(builder.build(), settings);
    long start = System.nanoTime();
    streams.setStateListener(
        (now, before) -> {
          if (now == KafkaStreams.State.RUNNING) {
            System.out.println("DONE 0 " + (System.nanoTime() - start));
          }
        });
    streams.start();
    while (System.in.read() >= 0) {
      continue;
    }
    System.exit(0);
  }
}
