package io.tablecast.table;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A record costs at most 32 bytes more than its key and value, the index and all slack included.
 */
class TableMemoryTest {
  private static final int MAX_OVERHEAD = 32;
  private static final int PARTITIONS = 6;

  private final Table table = new Table("t", TableSettings.DEFAULT, () -> 1_764_547_200_000L);
  private final TableWriter writer = table.writer();
  private long payload;

  private void put(int number, int valueBytes) {
    byte[] key = ("sku:" + number * 7919L).getBytes(US_ASCII);
    payload += key.length + valueBytes;
    long offset = 5_000_000L * (number % PARTITIONS) + number;
    writer.apply(
        number % PARTITIONS, offset, 1_764_547_200_000L + number, key, new byte[valueBytes]);
  }

  private double overhead() {
    Version version = writer.publish(Status.NONE);
    return (version.logBytes() + version.indexBytes() - payload) / (double) version.size();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20, 60, 200})
  void staysWithinItsBoundAtEverySize(int valueBytes) {
    double worst = 0;
    int worstAt = 0;
    for (int i = 0; i < 200_000; i++) {
      put(i, valueBytes);
      // Below this, the first small segment outweighs its records.
      if (i > 5_000 && i % 97 == 0) {
        double overhead = overhead();
        if (overhead > worst) {
          worst = overhead;
          worstAt = i;
        }
      }
    }
    assertTrue(worst <= MAX_OVERHEAD, worst + " bytes a key at " + worstAt + " keys");
  }

  @Test
  void staysWithinItsBoundForAMillionKeysAlsoOnceCleaned() {
    for (int i = 0; i < 1_000_000; i++) {
      put(i, 40);
    }
    assertTrue(overhead() <= MAX_OVERHEAD, overhead() + " bytes a key");
    long once = payload;
    for (int i = 0; i < 1_000_000; i += 2) {
      put(i, 40);
      if (i % 1_000 == 0) {
        while (writer.clean(0)) {}
      }
    }
    payload = once;
    while (writer.clean(0)) {}
    Version version = writer.publish(Status.NONE);
    double live = version.logBytes() - version.deadBytes() + version.indexBytes() - payload;
    assertTrue(live / version.size() <= MAX_OVERHEAD, live / version.size() + " bytes a key");
    assertTrue(version.deadBytes() < 0.31 * version.logBytes());
  }
}
