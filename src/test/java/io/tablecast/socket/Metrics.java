package io.tablecast.socket;

import io.restassured.RestAssured;

/** What {@code /q/metrics} says. */
final class Metrics {
  private Metrics() {}

  /** The value of the metric whose line begins so; 0 if there is none. */
  static double value(String start) {
    return RestAssured.get("/q/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
