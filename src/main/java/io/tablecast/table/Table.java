package io.tablecast.table;

import java.util.function.LongSupplier;

/** One table. See the package's page for threads and order. */
public final class Table {
  private final String name;

  /**
   * @param name the topic's name
   * @param clock ms since the epoch; when a record was appended decides when a tombstone may be dropped
   */
  public Table(String name, TableSettings settings, LongSupplier clock) {
    this.name = name;
  }

  /** The topic's name. */
  public String name() {
    return name;
  }

  /** The one writer. The first thread that writes through it owns it; another one is an {@link AssertionError}. */
  public TableWriter writer() {
    throw new UnsupportedOperationException();
  }

  /** The newest published state. Any thread. */
  public Version version() {
    throw new UnsupportedOperationException();
  }

  /** A cursor that goes on after this sequence number; 0 reads from the start. Any thread. */
  public Cursor cursor(long after) {
    throw new UnsupportedOperationException();
  }

  /**
   * The sequence number of the newest record of a key, deletions included; 0 if there is none. It may lie beyond the end of
   * the newest version, when the writer is in the middle of a batch. Any thread.
   */
  public long find(byte[] key) {
    throw new UnsupportedOperationException();
  }

  /**
   * Shows the record with this sequence number, unless it is dead or gone. It may lie beyond the end of the newest version
   * if the number came from {@link #find}. Any thread.
   *
   * @return false when the record is dead or gone
   */
  public boolean read(long sequence, RecordView into) {
    throw new UnsupportedOperationException();
  }
}
