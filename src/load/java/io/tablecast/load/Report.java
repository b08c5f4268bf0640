package io.tablecast.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects figures of several rounds and says their medians. */
final class Report {
  private final String scenario;
  private final Map<String, Map<String, List<Double>>> figures = new LinkedHashMap<>();

  Report(String scenario) {
    this.scenario = scenario;
  }

  void add(String subject, String figure, double value) {
    figures
        .computeIfAbsent(subject, s -> new LinkedHashMap<>())
        .computeIfAbsent(figure, f -> new ArrayList<>())
        .add(value);
    System.out.printf("  %s: %s %.3f%n", subject, figure, value);
  }

  double median(String subject, String figure) {
    List<Double> all = figures.get(subject).get(figure).stream().sorted().toList();
    int middle = all.size() / 2;
    return all.size() % 2 == 1 ? all.get(middle) : (all.get(middle - 1) + all.get(middle)) / 2;
  }

  /** Prints the medians with their range, and keeps them in {@code target/load}. */
  void print() {
    StringBuilder out = new StringBuilder("\n### " + scenario + "\n\n");
    out.append(
        "| subject | figure | median | least | most | runs |\n|---|---|---:|---:|---:|---:|\n");
    figures.forEach(
        (subject, byFigure) ->
            byFigure.forEach(
                (figure, values) ->
                    out.append(
                        "| %s | %s | %.3f | %.3f | %.3f | %d |\n"
                            .formatted(
                                subject,
                                figure,
                                median(subject, figure),
                                values.stream().mapToDouble(v -> v).min().orElse(0),
                                values.stream().mapToDouble(v -> v).max().orElse(0),
                                values.size()))));
    System.out.println(out);
    try {
      Path file = Files.createDirectories(Path.of("target", "load")).resolve("figures.md");
      Files.writeString(file, out, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The numbers of a line of {@code name=number} words. */
  static Map<String, Long> numbers(String line) {
    Map<String, Long> numbers = new HashMap<>();
    for (String word : line.trim().split(" ")) {
      String[] parts = word.split("=");
      if (parts.length == 2) {
        numbers.put(parts[0], Long.parseLong(parts[1]));
      }
    }
    return numbers;
  }
}
