package io.tablecast.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.tablecast.wire.ValueFormat;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static Settings settings(Map<String, String> properties, Map<String, String> variables) {
    SmallRyeConfig config =
        new SmallRyeConfigBuilder()
            .addDiscoveredConverters()
            .addDefaultInterceptors()
            .withMapping(TablecastConfig.class)
            .withSources(new PropertiesConfigSource(properties, "test", 100))
            .withSources(new EnvConfigSource(variables, 300))
            .build();
    return new Settings(config.getConfigMapping(TablecastConfig.class));
  }

  private static String failure(Map<String, String> properties) {
    return assertThrows(RuntimeException.class, () -> settings(properties, Map.of())).getMessage();
  }

  @Test
  void defaultsNeedOnlyTopics() {
    TablecastConfig config = settings(Map.of("tablecast.topics", "a,b.c"), Map.of()).config();
    assertEquals(List.of("a", "b.c"), config.topics());
    assertEquals(10_000, config.staleAfter().toMillis());
    assertEquals(10_000, config.limits().connections());
    assertTrue(config.readiness().latched());
  }

  @Test
  void topicsAreRequired() {
    assertTrue(failure(Map.of()).contains("tablecast.topics"));
  }

  @ParameterizedTest
  @CsvSource({
    "tablecast.topics, a/b, a/b",
    "tablecast.topics, 'a,a', twice",
    "tablecast.topics, .., ..",
    "tablecast.stale-after, 0s, 1ms or more",
    "tablecast.bookmark-interval, -1s, 1ms or more",
    "tablecast.topic-check-interval, 0, 1ms or more",
    "tablecast.tombstone-retention, 0, 1ms or more",
    "tablecast.shutdown.drain, -1s, 0s or more",
    "tablecast.poll-interval, -1ms, 0s to 1s",
    "tablecast.poll-interval, 1001ms, 0s to 1s",
    "tablecast.limits.connections, 0, 1 or more",
    "tablecast.limits.frame-bytes, -5, 1 or more",
    "tablecast.create.partitions, 0, 1 or more",
    "tablecast.create.replication-factor, 0, 1 or more",
  })
  void wrongValueIsNamedWithWhatIsAllowed(String property, String value, String allowed) {
    Map<String, String> properties = new HashMap<>(Map.of("tablecast.topics", "a"));
    properties.put(property, value);
    String message = failure(properties);
    assertTrue(message.contains(property), message);
    assertTrue(message.contains(allowed), message);
  }

  @ParameterizedTest
  @CsvSource({
    "tablecast.stale-after, soon",
    "tablecast.limits.connections, many",
    "tablecast.tables.a.format, xml",
    "tablecast.create-topics, perhaps",
    "tablecast.readiness.latched, 7",
  })
  void valueOfTheWrongKindIsNamed(String property, String value) {
    Map<String, String> properties = new HashMap<>(Map.of("tablecast.topics", "a"));
    properties.put(property, value);
    String message = failure(properties);
    assertTrue(message.contains(property), message);
    assertTrue(message.contains(value), message);
  }

  @Test
  void allThatIsWrongIsToldAtOnce() {
    String message =
        failure(Map.of("tablecast.topics", "a,a", "tablecast.limits.bad-messages", "0"));
    assertTrue(message.contains("twice") && message.contains("bad-messages"), message);
  }

  @Test
  void formatIsSetByTheQuotedName() {
    Settings settings =
        settings(
            Map.of(
                "tablecast.topics", "product-prices,a.b",
                "tablecast.tables.\"a.b\".format", "text"),
            Map.of());
    assertEquals(ValueFormat.TEXT, settings.format("a.b"));
    assertEquals(ValueFormat.AUTO, settings.format("product-prices"));
  }

  @Test
  void formatIsSetByAnEnvironmentVariable() {
    Settings settings =
        settings(
            Map.of("tablecast.topics", "product-prices,a.b,Plain"),
            Map.of(
                "TABLECAST_TABLES__PRODUCT_PRICES__FORMAT", "base64",
                "TABLECAST_TABLES__A_B__FORMAT", "text",
                "TABLECAST_TABLES_PLAIN_FORMAT", "json"));
    assertEquals(ValueFormat.BASE64, settings.format("product-prices"));
    assertEquals(ValueFormat.TEXT, settings.format("a.b"));
    assertEquals(ValueFormat.JSON, settings.format("Plain"));
  }

  @Test
  void topicsMayComeFromTheEnvironment() {
    Settings settings =
        settings(Map.of(), Map.of("TABLECAST_TOPICS", "x,y", "TABLECAST_STALE_AFTER", "3s"));
    assertEquals(List.of("x", "y"), settings.config().topics());
    assertEquals(3_000, settings.config().staleAfter().toMillis());
  }

  @Test
  void tableThatIsNoTopicIsNamed() {
    String message =
        failure(Map.of("tablecast.topics", "prices", "tablecast.tables.\"prizes\".format", "text"));
    assertTrue(message.contains("prizes") && message.contains("prices"), message);
  }

  @Test
  void variableThatMayMeanSeveralTopicsIsRefused() {
    String message =
        assertThrows(
                WrongSettingException.class,
                () ->
                    settings(
                        Map.of("tablecast.topics", "a-b,a_b"),
                        Map.of("TABLECAST_TABLES__A_B__FORMAT", "text")))
            .getMessage();
    assertTrue(message.contains("may mean any of [a-b, a_b]"), message);
  }
}
