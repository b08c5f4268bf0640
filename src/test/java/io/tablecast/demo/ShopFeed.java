package io.tablecast.demo;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * What happens in a small shop: the same for the same seed, but for the times in it. One thread.
 */
final class ShopFeed {
  static final String PROFILES = "user-profiles";
  static final String PRICES = "product-prices";
  static final String CONFIG = "system-config";

  private static final List<String> FIRST =
      List.of(
          "Amina", "Bruno", "Chiara", "Deniz", "Emeka", "Farah", "Goran", "Hana", "Ines", "Jonas");
  private static final List<String> LAST =
      List.of("Okafor", "Larsen", "Moreau", "Sato", "Novak", "Costa", "Weiss", "Haddad");
  private static final List<String> CITIES =
      List.of("Lisbon", "Oslo", "Lagos", "Kyoto", "Prague", "Lyon", "Vienna", "Beirut");
  private static final List<String> PRODUCTS =
      List.of(
          "kettle", "lamp", "rug", "chair", "clock", "vase", "mug", "shelf", "blanket", "mirror");
  private static final Map<String, int[]> SETTINGS =
      new TreeMap<>(
          Map.of(
              "checkout.timeout-seconds", new int[] {15, 20, 30},
              "search.page-size", new int[] {20, 25, 50},
              "shipping.free-above-euro", new int[] {40, 50, 60},
              "recommendations.enabled-percent", new int[] {10, 50, 100}));
  private static final int USERS = 40;
  private static final int ITEMS = 60;

  private final Random random;
  private final int[] cents = new int[ITEMS];
  private final boolean[] listed = new boolean[ITEMS];
  private final boolean[] registered = new boolean[USERS];

  ShopFeed(long seed) {
    random = new Random(seed);
  }

  /** Everything there is at the start, once. */
  List<ProducerRecord<byte[], byte[]>> opening() {
    List<ProducerRecord<byte[], byte[]>> all = new ArrayList<>();
    for (int item = 0; item < ITEMS; item++) {
      cents[item] = 499 + random.nextInt(15_000);
      all.add(offer(item));
    }
    for (int user = 0; user < USERS; user++) {
      all.add(profile(user));
    }
    SETTINGS.keySet().forEach(name -> all.add(setting(name)));
    return all;
  }

  /**
   * A price moves by a few percent; now and then an item is taken off the list, and comes back
   * later.
   */
  ProducerRecord<byte[], byte[]> price() {
    int item = random.nextInt(ITEMS);
    if (listed[item] && random.nextInt(12) == 0) {
      listed[item] = false;
      return record(PRICES, sku(item), null);
    }
    cents[item] = Math.max(99, cents[item] + cents[item] * (random.nextInt(13) - 6) / 100);
    return offer(item);
  }

  /** Somebody logs in, moves or changes the plan; now and then an account is deleted. */
  ProducerRecord<byte[], byte[]> visit() {
    int user = random.nextInt(USERS);
    if (registered[user] && random.nextInt(15) == 0) {
      registered[user] = false;
      return record(PROFILES, "user:" + (100 + user), null);
    }
    return profile(user);
  }

  /** An operator turns a knob. */
  ProducerRecord<byte[], byte[]> knob() {
    List<String> names = List.copyOf(SETTINGS.keySet());
    return setting(pick(names));
  }

  private ProducerRecord<byte[], byte[]> offer(int item) {
    listed[item] = true;
    String json =
        String.format(
            Locale.ROOT,
            "{\"name\":\"%s\",\"price\":%d.%02d,\"currency\":\"EUR\",\"stock\":%d}",
            PRODUCTS.get(item % PRODUCTS.size()),
            cents[item] / 100,
            cents[item] % 100,
            random.nextInt(80));
    return record(PRICES, sku(item), json);
  }

  private ProducerRecord<byte[], byte[]> profile(int user) {
    registered[user] = true;
    String json =
        String.format(
            Locale.ROOT,
            "{\"name\":\"%s %s\",\"city\":\"%s\",\"plan\":\"%s\",\"lastSeen\":\"%s\"}",
            FIRST.get(user % FIRST.size()),
            LAST.get(user % LAST.size()),
            pick(CITIES),
            random.nextInt(4) == 0 ? "plus" : "basic",
            Instant.now().truncatedTo(ChronoUnit.SECONDS));
    return record(PROFILES, "user:" + (100 + user), json);
  }

  private ProducerRecord<byte[], byte[]> setting(String name) {
    int[] choices = SETTINGS.getOrDefault(name, new int[] {0});
    return record(CONFIG, name, "{\"value\":" + choices[random.nextInt(choices.length)] + "}");
  }

  private String pick(List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static String sku(int item) {
    return "sku:" + (1000 + item);
  }

  private static ProducerRecord<byte[], byte[]> record(
      String topic, String key, @Nullable String json) {
    return new ProducerRecord<>(
        topic,
        key.getBytes(StandardCharsets.UTF_8),
        json == null ? null : json.getBytes(StandardCharsets.UTF_8));
  }
}
