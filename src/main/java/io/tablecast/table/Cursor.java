package io.tablecast.table;

/**
 * A reader's place in a table's log. Owned by one reader; not safe for other threads.
 *
 * <p>Records that are dead are passed over; one that has only just died may still be shown, and its successor follows.
 */
public final class Cursor {
  /** The sequence number after which reading goes on. */
  public long position() {
    throw new UnsupportedOperationException();
  }

  /** Goes on after this sequence number; any number is allowed. */
  public void seek(long sequence) {
    throw new UnsupportedOperationException();
  }

  /**
   * Moves to the next record and shows it.
   *
   * @param version up to whose end to read; each call may bring a newer one, never an older one
   * @param into is set to the record
   * @return false when there is none: then the position is the version's end
   */
  public boolean next(Version version, RecordView into) {
    throw new UnsupportedOperationException();
  }

  /** As {@link #next}, with dead records that have not been cleaned away shown too: for counting what was superseded. */
  public boolean nextOfAny(Version version, RecordView into) {
    throw new UnsupportedOperationException();
  }
}
