package io.tablecast;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tablecast.testkit.PackagedApp;
import io.tablecast.testkit.TestKafka;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** What producers may compress with. */
class CodecsIT {
  private static final List<String> CODECS = List.of("none", "gzip", "snappy", "lz4", "zstd");
  private static final int RECORDS = 200;

  private final TestKafka kafka = TestKafka.shared();

  @Test
  void everyCodecIsRead() {
    CODECS.forEach(this::fill);
    String topics = String.join(",", CODECS.stream().map(CodecsIT::topic).toList());
    try (PackagedApp app =
        PackagedApp.start(
            Map.of("kafka.bootstrap.servers", kafka.bootstrap(), "tablecast.topics", topics))) {
      app.awaitReady();
      for (String codec : CODECS) {
        for (int i = 0; i < RECORDS; i += 99) {
          assertEquals(value(codec, i), app.body("/tables/" + topic(codec) + "/entries/" + i));
        }
      }
    }
  }

  private void fill(String codec) {
    kafka.ensureTopic(topic(codec), 1);
    Map<String, Object> settings =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            kafka.bootstrap(),
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            codec,
            ProducerConfig.LINGER_MS_CONFIG,
            50);
    try (var producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < RECORDS; i++) {
        producer.send(
            new ProducerRecord<>(topic(codec), bytes(Integer.toString(i)), bytes(value(codec, i))));
      }
    }
  }

  private static String topic(String codec) {
    return "codec-" + codec;
  }

  private static String value(String codec, int i) {
    return "{\"codec\":\"%s\",\"text\":\"%s\"}".formatted(codec, ("again " + i + " ").repeat(20));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
