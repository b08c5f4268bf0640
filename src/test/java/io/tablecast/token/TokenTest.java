package io.tablecast.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tablecast.table.TopicId;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TokenTest {
  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private Token any() {
    List<Token.Position> positions = new ArrayList<>();
    for (int n = random.nextInt(20); n > 0; n--) {
      long next = number() / 2;
      positions.add(new Token.Position(next, number(), random.nextInt(5) - 1, next + number() / 2));
    }
    return new Token(new TopicId(random.nextLong(), random.nextLong()), number(), positions);
  }

  private long number() {
    return random.nextLong() >>> (1 + random.nextInt(63));
  }

  @Test
  void whatIsWrittenIsRead() {
    for (int i = 0; i < 20_000; i++) {
      Token t = any();
      assertEquals(Optional.of(t), Token.decode(t.text()), () -> "seed " + seed);
    }
  }

  @Test
  void aTokenWithAnyBitChangedIsNone() {
    for (int i = 0; i < 500; i++) {
      byte[] bytes = Base64.getUrlDecoder().decode(any().text());
      for (int bit = 0; bit < bytes.length * 8; bit++) {
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        String damaged = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        assertTrue(Token.decode(damaged).isEmpty(), () -> "seed " + seed + ": " + damaged);
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
      }
    }
  }

  @Test
  void partsOfTokensAndMoreThanTokensAreNone() {
    String t = any().text();
    for (int i = 0; i < t.length(); i++) {
      assertTrue(Token.decode(t.substring(0, i)).isEmpty());
      assertTrue(i == 0 || Token.decode(t.substring(i)).isEmpty());
    }
    assertTrue(Token.decode(t + "AAAA").isEmpty());
  }

  @Test
  void noInputThrows() {
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      if (bytes.length > 0 && random.nextBoolean()) {
        bytes[0] = 1;
      }
      Token.decode(Base64.getUrlEncoder().encodeToString(bytes));
      Token.decode(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1));
    }
  }

  @Test
  void contentWithAValidCheckIsStillChecked() {
    // a forged check sum: what it guards is read with the same care
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[1 + random.nextInt(60)];
      random.nextBytes(bytes);
      bytes[0] = 1;
      java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
      crc.update(bytes, 0, bytes.length);
      byte[] all =
          java.nio.ByteBuffer.allocate(bytes.length + 4)
              .put(bytes)
              .putInt((int) crc.getValue())
              .array();
      Token.decode(Base64.getUrlEncoder().encodeToString(all))
          .ifPresent(
              t ->
                  assertTrue(
                      t.partitions().stream()
                          .allMatch(
                              p -> p.next() >= 0 && p.start() >= 0 && p.leaderEpoch() >= -1)));
    }
  }
}
