package io.tablecast.http;

import io.tablecast.table.RecordView;
import io.tablecast.table.Table;

/** Finds the newest value of a key, while the table goes on. */
final class Lookup {
  /** Each try fails only if the key has just changed again. */
  private static final int TRIES = 1_000;

  private Lookup() {}

  /**
   * Shows the newest record of a key if that is a value.
   *
   * @return false when the key is absent or deleted
   */
  static boolean newest(Table table, byte[] key, RecordView into) {
    for (int i = 0; i < TRIES; i++) {
      long sequence = table.find(key);
      if (sequence == 0) {
        return false;
      }
      if (table.read(sequence, into)) {
        return !into.deletion();
      }
    }
    throw new IllegalStateException("table " + table.name() + ": a key's record can't be read");
  }

  /** Whether the key has a value now. */
  static boolean exists(Table table, byte[] key) {
    return newest(table, key, new RecordView());
  }
}
