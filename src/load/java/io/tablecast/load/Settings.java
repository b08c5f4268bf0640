package io.tablecast.load;

import java.util.List;

/** What the command line may change, as system properties. */
final class Settings {
  static final long SEED = Long.getLong("load.seed", 2026);

  private Settings() {}

  static int number(String name, int byDefault) {
    return Integer.getInteger("load." + name, byDefault);
  }

  /** Options of the measured service's JVM, or of its native binary. */
  static List<String> jvm() {
    String given = System.getProperty("load.jvm", "").trim();
    return given.isEmpty() ? List.of() : List.of(given.split("\\s+"));
  }

  static int rounds() {
    return number("rounds", 5);
  }

  static int warmup() {
    return number("warmup", 10);
  }

  static int seconds() {
    return number("seconds", 15);
  }
}
