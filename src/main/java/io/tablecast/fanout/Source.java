package io.tablecast.fanout;

import io.tablecast.table.Cursor;
import io.tablecast.token.Since;
import org.jspecify.annotations.Nullable;

/**
 * Where a subscription reads what was there when it started. Each call does a bounded amount of
 * work. Hub thread.
 */
sealed interface Source permits LogSource, KeySource {
  /** The next changes; null when this call found none, which does not mean that there are none. */
  @Nullable Batch read();

  /** Everything up to here has been read. */
  long position();

  /** Everything has been read. */
  boolean done();

  /**
   * For a subscription that starts at the fan's version.
   *
   * @param since for a resume
   * @return null when nothing old is to be told
   */
  static @Nullable Source of(
      Mode mode, Group group, @Nullable Since since, TableFan fan, Cursor cursor, boolean meta) {
    if (mode == Mode.LIVE) {
      return null;
    }
    if (!group.filter.all() && group.filter.prefixes().isEmpty()) {
      return new KeySource(group.filter, since, fan, meta);
    }
    return new LogSource(group, since, fan, cursor, meta);
  }
}
