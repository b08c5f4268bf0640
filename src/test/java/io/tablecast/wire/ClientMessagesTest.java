package io.tablecast.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientMessagesTest {
  private static ClientMessage.Subscribe subscribe(String members) throws BadMessageException {
    return (ClientMessage.Subscribe)
        ClientMessages.parse(
            "{\"type\":\"subscribe\",\"id\":\"p\",\"table\":\"t\"" + members + "}");
  }

  @Test
  void absentMembersHaveTheirDefaults() throws BadMessageException {
    var expected =
        new ClientMessage.Subscribe("p", "t", List.of(), List.of(), null, false, true, 0, false);
    assertEquals(expected, subscribe(""));
    assertEquals(
        expected,
        subscribe(",\"keys\":null,\"prefixes\":[],\"resume\":null,\"unknown\":{\"a\":[1]}"));
  }

  @Test
  void allMembersAreRead() throws BadMessageException {
    var expected =
        new ClientMessage.Subscribe(
            "p", "t", List.of("", "k"), List.of("é"), "tok", false, false, 250, true);
    assertEquals(
        expected,
        subscribe(
            ",\"keys\":[\"\",\"k\"],\"prefixes\":[\"\\u00e9\"],\"resume\":\"tok\",\"snapshot\":false,\"interval\":250,\"meta\":true"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        ",\"keys\":\"k\"|'keys'",
        ",\"keys\":[1]|'keys'",
        ",\"keys\":[[\"a\"]]|'keys'",
        ",\"keys\":{\"a\":1}|'keys'",
        ",\"keys\":[\"\\ud800\"]|'keys'",
        ",\"prefixes\":5|'prefixes'",
        ",\"interval\":\"x\"|'interval'",
        ",\"interval\":1.5|'interval'",
        ",\"interval\":-1|'interval'",
        ",\"interval\":99999999999999999999|'interval'",
        ",\"meta\":\"yes\"|'meta'",
        ",\"snapshot\":1|'snapshot'",
        ",\"resume\":7|'resume'"
      })
  void theErrorNamesTheMemberAndTheRequest(String members, String named) {
    BadMessageException e = assertThrows(BadMessageException.class, () -> subscribe(members));
    assertEquals("p", e.id());
    assertTrue(e.getMessage().contains(named), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{",
        "``",
        "[]",
        "42",
        "{}",
        "{\"type\":5}",
        "{\"type\":\"nope\"}",
        "{\"type\":\"subscribe\",\"id\":7,\"table\":\"t\"}",
        "{\"type\":\"subscribe\",\"id\":\"\",\"table\":\"t\"}",
        "{\"type\":\"subscribe\",\"table\":\"t\"}",
        "{\"type\":\"subscribe\",\"id\":\"p\"}",
        "{\"type\":\"unsubscribe\"}",
        "{\"type\":\"ping\"}garbage"
      })
  void whatIsNoMessageIsRefused(String text) {
    assertThrows(BadMessageException.class, () -> ClientMessages.parse(text));
  }

  @Test
  void anIdHasUpTo64CharactersWhateverTheirEncoding() throws BadMessageException {
    String longest = "😀".repeat(64);
    assertEquals(
        new ClientMessage.Unsubscribe(longest),
        ClientMessages.parse("{\"type\":\"unsubscribe\",\"id\":\"" + longest + "\"}"));
    assertThrows(
        BadMessageException.class,
        () -> ClientMessages.parse("{\"type\":\"unsubscribe\",\"id\":\"" + longest + "i\"}"));
  }

  @Test
  void deepNestingIsAnErrorAndNotAStackOverflow() {
    assertThrows(BadMessageException.class, () -> ClientMessages.parse("[".repeat(100_000)));
    assertThrows(BadMessageException.class, () -> subscribe(",\"x\":" + "[".repeat(100_000)));
  }
}
