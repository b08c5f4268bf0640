package io.tablecast.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
  @ParameterizedTest
  @CsvSource({
    "/tables, TABLES, ''",
    "/tables/, TABLES, ''",
    "/tables/t, TABLE, t",
    "/tables/t/, TABLE, t",
    "/tables/t/entries, ENTRIES, t",
    "/tables/t/entries?limit=1, ENTRIES, t",
    "/tables/t/entries/, VALUE, t",
    "/tables/t/entries/a/b, VALUE, t",
    "/tables/t/stream?key=/entries/, STREAM, t",
    "/tables/t/stream/, UNKNOWN, t",
    "/tables/t/other, UNKNOWN, t",
    "http://example.org:80/tables/t, TABLE, t",
  })
  void saysWhatIsAskedFor(String uri, Target.Kind kind, String table) {
    Target target = parse(uri);
    assertEquals(kind, target.kind());
    assertEquals(table, target.table());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/tablesx", "/q/health", "/x/tables/t", "/q?x=/tables/t", "*"})
  void leavesTheRestToOthers(String uri) {
    assertNull(Target.parse(uri));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a//b", "/", "//", "../x", ".", "dot.", "a/entries/b", "%2F", "a;b", ""})
  void aKeyStaysAsItStands(String key) {
    Target target = parse("/tables/t/entries/" + key + "?keyEncoding=base64");
    assertEquals(key, target.key());
    assertEquals("keyEncoding=base64", target.query());
  }

  @Test
  void aQuestionMarkEndsThePath() {
    assertNull(parse("/tables/t").query());
    assertEquals("", parse("/tables/t?").query());
    assertEquals("a=?", parse("/tables/t?a=?").query());
  }

  private static Target parse(String uri) {
    return Objects.requireNonNull(Target.parse(uri));
  }
}
