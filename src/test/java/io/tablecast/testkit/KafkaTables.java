package io.tablecast.testkit;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives a test the shared broker and its tables. The argument {@code topics} lists them, {@code
 * name:partitions} separated by commas; without a number a topic has one partition, with 0 it is
 * configured but not created. All other arguments are settings of the application. Subclasses fill
 * the topics before the application starts.
 */
public class KafkaTables implements QuarkusTestResourceLifecycleManager {
  private Map<String, String> arguments = Map.of();

  @Override
  public void init(Map<String, String> initArgs) {
    arguments = Map.copyOf(initArgs);
  }

  @Override
  public final Map<String, String> start() {
    TestKafka kafka = TestKafka.shared();
    Map<String, String> config = new HashMap<>(arguments);
    List<String> names = new ArrayList<>();
    String topics = config.remove("topics");
    if (topics != null) {
      for (String topic : topics.split(",")) {
        String[] parts = topic.trim().split(":");
        names.add(parts[0]);
        int partitions = parts.length > 1 ? Integer.parseInt(parts[1]) : 1;
        if (partitions > 0) {
          kafka.ensureTopic(parts[0], partitions);
        }
      }
      config.put("tablecast.topics", String.join(",", names));
    }
    prepare(kafka);
    config.put("kafka.bootstrap.servers", kafka.bootstrap());
    return config;
  }

  /** Called when the topics exist, before the application starts. */
  protected void prepare(TestKafka kafka) {}

  @Override
  public void stop() {}
}
