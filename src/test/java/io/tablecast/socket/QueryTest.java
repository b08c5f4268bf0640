package io.tablecast.socket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tablecast.wire.ClientMessage;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EmptySource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {
  private static final String LONG_NAME = "t".repeat(249);

  @ParameterizedTest
  @EmptySource
  @MethodSource("io.tablecast.testkit.AwkwardKeys#all")
  void anyKeyComesThroughAPathAndAQuery(String key) throws BadParameterException {
    String encoded = URLEncoder.encode(key, StandardCharsets.UTF_8);
    assertEquals(List.of(key), Query.parse("key=" + encoded).all("key"));
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    assertArrayEquals(bytes, Percent.decodePath(encoded.replace("+", "%20")));
  }

  @Test
  void aPlusIsAPlusInAPathAndASpaceInAQuery() {
    assertEquals("a+b", Percent.utf8(Percent.decodePath("a+b")));
    assertEquals("a b", Percent.utf8(Percent.decodeQuery("a+b")));
  }

  @Test
  void bytesThatAreNotEncodedAreTakenAsTheyAre() {
    String raw = new String("é".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    assertEquals("é", Percent.utf8(Percent.decodePath(raw)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "a%", "%2", "%zz", "%2x", "%-1"})
  void aPercentSignNeedsTwoDigits(String text) {
    assertThrows(IllegalArgumentException.class, () -> Percent.decodePath(text));
  }

  @Test
  void aKeyOfAQueryMustBeUtf8() {
    var e = assertThrows(BadParameterException.class, () -> Query.parse("meta=true&key=%ff"));
    assertTrue(String.valueOf(e.getMessage()).contains("'key'"), e.getMessage());
  }

  @Test
  void moreThanAThousandKeysAreRead() throws BadParameterException {
    String query = String.join("&", Collections.nCopies(5_000, "key=a"));
    assertEquals(5_000, Query.parse(query).all("key").size());
  }

  @Test
  void optionsOfASubscription() throws BadParameterException {
    Query query = Query.parse("key=a&key=&prefix=b&snapshot=false&interval=250&meta=true&other=1");
    ClientMessage.Subscribe s = query.subscription(LONG_NAME, "r", true);
    assertEquals(
        new ClientMessage.Subscribe(
            LONG_NAME, LONG_NAME, List.of("a", ""), List.of("b"), "r", true, false, 250, true),
        s);
  }

  @Test
  void defaultsOfASubscription() throws BadParameterException {
    ClientMessage.Subscribe s = Query.parse(null).subscription("t", null, false);
    assertEquals(List.of(), s.keys());
    assertNull(s.resume());
    assertTrue(s.snapshot());
    assertEquals(0, s.interval());
    assertFalse(s.meta());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "meta=1",
        "meta=",
        "meta",
        "meta=TRUE",
        "snapshot=no",
        "interval=-1",
        "interval=",
        "interval=1.5",
        "interval=+1",
        "interval=99999999999999999999",
        "meta=true&meta=true",
        "interval=1&interval=1"
      })
  void aWrongOptionIsNamed(String query) {
    var e =
        assertThrows(
            BadParameterException.class, () -> Query.parse(query).subscription("t", null, false));
    String name = query.substring(0, Math.max(query.indexOf('='), 4));
    assertTrue(String.valueOf(e.getMessage()).contains("'" + name + "'"), e.getMessage());
  }
}
