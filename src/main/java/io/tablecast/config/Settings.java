package io.tablecast.config;

import io.tablecast.wire.ValueFormat;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings, checked: making one fails with a {@link WrongSettingException} that lists
 * everything that is wrong. Whatever reads settings at start injects this, so that nothing starts
 * with wrong ones.
 */
@Singleton
public class Settings {
  private static final Pattern LEGAL_TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final TablecastConfig config;
  private final Map<String, TablecastConfig.TableConfig> tables;

  /**
   * Checks the configuration.
   *
   * @throws WrongSettingException naming each wrong property, its value and what is allowed
   */
  public Settings(TablecastConfig config) {
    this.config = config;
    List<String> wrong = new ArrayList<>();
    checkTopics(config.topics(), wrong);
    this.tables = byTopic(config, wrong);
    checkCreation(config, wrong);
    checkTimes(config, wrong);
    checkLimits(config.limits(), wrong);
    if (!wrong.isEmpty()) {
      throw new WrongSettingException(wrong);
    }
  }

  /** All of them. */
  public TablecastConfig config() {
    return config;
  }

  /** How the values of this table are shown. */
  public ValueFormat format(String table) {
    TablecastConfig.TableConfig t = tables.get(table);
    return t == null ? ValueFormat.AUTO : t.format();
  }

  private static void checkTopics(List<String> topics, List<String> wrong) {
    if (topics.isEmpty()) {
      wrong.add("tablecast.topics is empty: name at least one topic, several separated by commas");
    }
    Set<String> seen = new HashSet<>();
    for (String topic : topics) {
      if (!LEGAL_TOPIC.matcher(topic).matches() || topic.equals(".") || topic.equals("..")) {
        wrong.add(
            "tablecast.topics holds \""
                + topic
                + "\": a topic's name has 1 to 249 of the characters a-z A-Z 0-9 . _ - and is neither . nor ..");
      } else if (!seen.add(topic)) {
        wrong.add("tablecast.topics holds \"" + topic + "\" twice: name each topic once");
      }
    }
  }

  /**
   * An environment variable can't spell every topic: {@code
   * TABLECAST_TABLES__PRODUCT_PRICES__FORMAT} arrives as some name of the letters "product" and
   * "prices". So a name that is no topic's stands for the one topic that an environment variable
   * would spell like it.
   */
  private static Map<String, TablecastConfig.TableConfig> byTopic(
      TablecastConfig config, List<String> wrong) {
    Map<String, TablecastConfig.TableConfig> tables = new HashMap<>();
    config
        .tables()
        .forEach(
            (name, table) -> {
              List<String> matches =
                  config.topics().contains(name)
                      ? List.of(name)
                      : config.topics().stream()
                          .filter(t -> variable(t).equals(variable(name)))
                          .toList();
              if (matches.size() == 1) {
                tables.merge(
                    matches.get(0), table, (a, b) -> config.topics().contains(name) ? b : a);
              } else {
                wrong.add(
                    "tablecast.tables.\""
                        + name
                        + "\" "
                        + (matches.isEmpty()
                            ? "is no table: allowed are the names in tablecast.topics, "
                                + config.topics()
                            : "may mean any of "
                                + matches
                                + ": set it in a file, where the name can be written out"));
              }
            });
    return tables;
  }

  private static String variable(String name) {
    return name.replaceAll("[^a-zA-Z0-9]", "_").toUpperCase(Locale.ROOT);
  }

  private static void checkCreation(TablecastConfig config, List<String> wrong) {
    config
        .create()
        .partitions()
        .ifPresent(n -> atLeastOne("tablecast.create.partitions", n, wrong));
    config
        .create()
        .replicationFactor()
        .ifPresent(n -> atLeastOne("tablecast.create.replication-factor", n, wrong));
  }

  private static void checkTimes(TablecastConfig config, List<String> wrong) {
    positive("tablecast.bookmark-interval", config.bookmarkInterval(), wrong);
    positive("tablecast.stale-after", config.staleAfter(), wrong);
    positive("tablecast.topic-check-interval", config.topicCheckInterval(), wrong);
    positive("tablecast.limits.stalled-after", config.limits().stalledAfter(), wrong);
    if (config.pollInterval().isNegative() || config.pollInterval().compareTo(LONGEST_PAUSE) > 0) {
      wrong.add(
          "tablecast.poll-interval is "
              + config.pollInterval()
              + ": a time from 0s to 1s is allowed, e.g. 10ms");
    }
    config.tombstoneRetention().ifPresent(d -> positive("tablecast.tombstone-retention", d, wrong));
    if (config.shutdown().drain().isNegative()) {
      wrong.add(
          "tablecast.shutdown.drain is "
              + config.shutdown().drain()
              + ": a time of 0s or more is allowed");
    }
  }

  private static void checkLimits(TablecastConfig.LimitsConfig limits, List<String> wrong) {
    atLeastOne("tablecast.limits.connections", limits.connections(), wrong);
    atLeastOne(
        "tablecast.limits.subscriptions-per-connection",
        limits.subscriptionsPerConnection(),
        wrong);
    atLeastOne("tablecast.limits.keys-per-subscription", limits.keysPerSubscription(), wrong);
    atLeastOne("tablecast.limits.messages-per-second", limits.messagesPerSecond(), wrong);
    atLeastOne("tablecast.limits.message-bytes", limits.messageBytes(), wrong);
    atLeastOne("tablecast.limits.bad-messages", limits.badMessages(), wrong);
    atLeastOne("tablecast.limits.frame-bytes", limits.frameBytes(), wrong);
  }

  private static void atLeastOne(String property, int value, List<String> wrong) {
    if (value < 1) {
      wrong.add(property + " is " + value + ": a whole number of 1 or more is allowed");
    }
  }

  private static void positive(String property, Duration value, List<String> wrong) {
    if (value.compareTo(Duration.ofMillis(1)) < 0) {
      wrong.add(
          property + " is " + value + ": a time of 1ms or more is allowed, e.g. 500ms, 30s, 5m");
    }
  }
}
