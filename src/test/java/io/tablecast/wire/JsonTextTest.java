package io.tablecast.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
  private static final JsonFactory JACKSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(100_000)
                  .maxNumberLength(100_000)
                  .build())
          .build();

  private static boolean isJson(byte[] b) {
    byte[] padded = new byte[b.length + 6];
    java.util.Arrays.fill(padded, (byte) '7');
    System.arraycopy(b, 0, padded, 3, b.length);
    return JsonText.isJson(padded, 3, b.length);
  }

  private static boolean isJson(String s) {
    return isJson(s.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0", "-0", "1e400", "1E+2", "0.10", "100000000000000000000.000000000000000000001",
            "{\"a\":1,\"a\":2}",
        "{ \"a\" :\t[ 1 ,\n 2 ] }", " {} \r\n", "\"\\u00e9\\u0041\\/\\\"\"", "\"\\ud800\"",
            "\"\u2028\u007f\"", "true", "false",
        "null", "[]", "{}", "\"\"", "[[],{}]", "{\"\":{}}", "[{\"a\":[]},1]"
      })
  void acceptsWhatTheGrammarAllows(String text) {
    assertTrue(isJson(text), text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[",
        "]",
        "{\"a\":1,}",
        "[1,]",
        "{a:1}",
        "{'a':1}",
        "01",
        "+1",
        ".5",
        "1.",
        "1e",
        "-",
        "NaN",
        "Infinity",
        "nul",
        "True",
        "\"open",
        "{} {}",
        "1 2",
        "\"tab\tin\"",
        "// c\n1",
        "[1}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\" 1}",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\",
        "\"\\u1",
        ",",
        ":",
        "[,1]",
        "{,}",
        "\ufeff1",
        "[1 2]",
        "{\"a\":1 \"b\":2}",
        "1]",
        "\"\\uff1\u0661\""
      })
  void refusesWhatItDoesNot(String text) {
    assertFalse(isJson(text), text);
  }

  @Test
  void refusesStringsThatAreNotUtf8() {
    for (int[] bytes :
        new int[][] {
          {0xff}, {0xc0, 0x80}, {0xed, 0xa0, 0x80}, {0xf8, 0x88, 0x80, 0x80, 0x80}, {0xe2, 0x82}
        }) {
      byte[] b = new byte[bytes.length + 2];
      b[0] = b[b.length - 1] = '"';
      for (int i = 0; i < bytes.length; i++) {
        b[i + 1] = (byte) bytes[i];
      }
      assertFalse(isJson(b));
    }
  }

  @Test
  void depthIsBoundedByNothingButTheText() {
    assertTrue(isJson("[".repeat(50_000) + "]".repeat(50_000)));
    assertFalse(isJson("[".repeat(50_000) + "]".repeat(49_999)));
  }

  @Test
  void agreesWithJacksonOnMutatedTexts() {
    long seed = Long.getLong("test.seed", System.nanoTime());
    Random random = new Random(seed);
    String[] pieces = {
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "\"a\"",
      "\"\\u00e9\"",
      "1",
      "-1.5e3",
      "true",
      "null",
      " ",
      "\n",
      "0",
      "é",
      "\\"
    };
    for (int i = 0; i < 200_000; i++) {
      StringBuilder s = new StringBuilder();
      for (int n = random.nextInt(9); n >= 0; n--) {
        s.append(pieces[random.nextInt(pieces.length)]);
      }
      byte[] bytes = s.toString().getBytes(StandardCharsets.UTF_8);
      if (random.nextInt(8) == 0) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      boolean expected = jackson(bytes);
      assertEquals(
          expected,
          isJson(bytes),
          () -> "seed " + seed + ": " + new String(bytes, StandardCharsets.ISO_8859_1));
    }
  }

  private static boolean jackson(byte[] bytes) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return false;
    }
    try (JsonParser p = JACKSON.createParser(text)) {
      if (p.nextToken() == null) {
        return false;
      }
      p.skipChildren();
      return p.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }
}
