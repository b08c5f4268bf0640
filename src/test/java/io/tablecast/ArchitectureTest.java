package io.tablecast;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The walls between the packages. */
class ArchitectureTest {
  private static final String[] PURE = {
    "io.tablecast.table..", "io.tablecast.token..", "io.tablecast.wire..", "io.tablecast.fanout.."
  };

  private static JavaClasses classes = new ClassFileImporter().importClasses();

  @BeforeAll
  static void read() {
    classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.tablecast");
    assertFalse(classes.isEmpty(), "no classes found");
  }

  @Test
  void pureRoomsKnowNothingOfQuarkusKafkaVertxOrWebSockets() {
    noClasses()
        .that()
        .resideInAnyPackage(PURE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.quarkus..",
            "org.apache.kafka..",
            "io.vertx..",
            "io.netty..",
            "io.smallrye..",
            "jakarta..",
            "org.eclipse.microprofile..",
            "io.micrometer..")
        .check(classes);
  }

  @Test
  void pureRoomsDependOnEachOtherInOneDirection() {
    forbid("io.tablecast.table..", "token", "wire", "fanout", "feed", "socket", "http");
    forbid("io.tablecast.token..", "wire", "fanout", "feed", "socket", "http");
    forbid("io.tablecast.wire..", "fanout", "feed", "socket", "http");
    forbid("io.tablecast.fanout..", "feed", "socket", "http");
  }

  @Test
  void everyPackageIsNullMarked() {
    Set<String> packages =
        classes.stream()
            .map(JavaClass::getPackage)
            .map(JavaPackage::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    List<String> unmarked =
        packages.stream()
            .filter(name -> !classes.getPackage(name).isAnnotatedWith(NullMarked.class))
            .toList();
    assertEquals(List.of(), unmarked);
  }

  private static void forbid(String from, String... rooms) {
    String[] targets = new String[rooms.length];
    for (int i = 0; i < rooms.length; i++) {
      targets[i] = "io.tablecast." + rooms[i] + "..";
    }
    noClasses()
        .that()
        .resideInAPackage(from)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(targets)
        .check(classes);
  }
}
