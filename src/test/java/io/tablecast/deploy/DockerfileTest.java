package io.tablecast.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A lint of {@code Dockerfile.native}; {@code .ci/container} runs what it says. */
class DockerfileTest {
  private record Instruction(String name, String arguments) {}

  private final List<List<Instruction>> stages = stages();

  private final List<Instruction> build = stages.get(0);
  private final List<Instruction> image = stages.get(1);

  @Test
  void whatIsCopiedExistsAndIsNotIgnored() throws IOException {
    List<String> ignored = Files.readAllLines(Path.of(".dockerignore"));
    assertEquals("*", ignored.get(0));
    for (Instruction copy : all(build, "COPY")) {
      List<String> words = words(copy);
      for (String source : words.subList(0, words.size() - 1)) {
        assertTrue(Files.exists(Path.of(source)), source + " does not exist");
        assertTrue(ignored.contains("!" + source), source + " is ignored");
      }
    }
  }

  @Test
  void dependenciesAreFetchedBeforeTheSourcesComeIn() {
    List<String> steps =
        build.stream()
            .map(i -> i.name() + " " + i.arguments())
            .filter(s -> s.contains("go-offline") || s.contains("src/main"))
            .toList();
    assertEquals(2, steps.size());
    assertTrue(steps.get(0).contains("go-offline"), steps.toString());
  }

  @Test
  void theImageHasOnlyTheBinaryAndRunsNothingWhileItIsMade() {
    assertEquals(2, stages.size());
    assertEquals(
        Set.of("FROM", "LABEL", "COPY", "USER", "EXPOSE", "STOPSIGNAL", "ENTRYPOINT"),
        image.stream().map(Instruction::name).collect(Collectors.toSet()));
    Instruction copy = one("COPY");
    assertTrue(copy.arguments().contains("--from=build"));
    String binary = words(copy).get(1);
    assertEquals("[\"" + binary + "\"]", one("ENTRYPOINT").arguments());
    assertTrue(
        all(build, "RUN").get(1).arguments().endsWith("target/tablecast")
            && words(copy).get(0).endsWith("/target/tablecast"));
  }

  @Test
  void theUserIsANumberAndNotRoot() {
    assertTrue(Integer.parseInt(one("USER").arguments()) > 0);
  }

  @Test
  void theHttpPortIsExposed() {
    assertEquals("8080", one("EXPOSE").arguments());
  }

  @Test
  void imagesHaveAVersion() {
    for (List<Instruction> stage : stages) {
      String from = words(stage.get(0)).get(0);
      assertTrue(from.contains(":") && !from.endsWith(":latest"), from);
    }
  }

  @Test
  void signalsReachTheProcess() {
    assertEquals("SIGTERM", one("STOPSIGNAL").arguments());
    assertFalse(one("ENTRYPOINT").arguments().contains("sh"), "a shell would swallow SIGTERM");
  }

  private Instruction one(String name) {
    List<Instruction> found = all(image, name);
    assertEquals(1, found.size(), name);
    return found.get(0);
  }

  private static List<Instruction> all(List<Instruction> stage, String name) {
    return stage.stream().filter(i -> i.name().equals(name)).toList();
  }

  private static List<String> words(Instruction instruction) {
    return List.of(instruction.arguments().split("\\s+")).stream()
        .filter(w -> !w.startsWith("--"))
        .toList();
  }

  private static List<List<Instruction>> stages() {
    List<List<Instruction>> stages = new ArrayList<>();
    for (Instruction instruction : instructions()) {
      if (instruction.name().equals("FROM")) {
        stages.add(new ArrayList<>());
      }
      stages.get(stages.size() - 1).add(instruction);
    }
    return stages;
  }

  private static List<Instruction> instructions() {
    try {
      return Files.readString(Path.of("Dockerfile.native"))
          .replaceAll("(?m)^#.*\n", "")
          .replaceAll("\\\\\n\\s*", "")
          .lines()
          .filter(line -> !line.isBlank())
          .map(line -> line.split(" ", 2))
          .map(parts -> new Instruction(parts[0], parts[1]))
          .toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
