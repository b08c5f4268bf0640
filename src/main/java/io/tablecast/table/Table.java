package io.tablecast.table;

import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/** One table. See the package's page for threads and order. */
public final class Table {
  private final String name;
  private final KeyHash hashes = new KeyHash();
  private final KeyIndex index = new KeyIndex();
  private final Log log;
  private final TableWriter writer;

  private volatile Version version;

  /** The number of the version that is published, or just being published. */
  private volatile long announced;

  /**
   * @param name the topic's name
   * @param clock ms since the epoch; when a record was appended decides when a tombstone may be
   *     dropped
   */
  public Table(String name, TableSettings settings, LongSupplier clock) {
    this.name = name;
    Rewrite rewrite = new Rewrite();
    Forgotten forgotten = new Forgotten();
    this.log = new Log(settings.segmentBytes(), clock, rewrite);
    DroppedMarks dropped = new DroppedMarks();
    this.version = new Version(0, 0, log, index, 0, dropped, Status.NONE);
    Cleaner cleaner = new Cleaner(settings, clock, log, index, hashes, dropped, forgotten, rewrite);
    this.writer = new TableWriter(this, log, index, hashes, cleaner, dropped, forgotten);
  }

  /** The topic's name. */
  public String name() {
    return name;
  }

  /**
   * The one writer. The first thread that writes through it owns it; another one is an {@link
   * AssertionError}.
   */
  public TableWriter writer() {
    return writer;
  }

  /** The newest published state. Any thread. */
  public Version version() {
    return version;
  }

  /**
   * Whether no later version has been published, nor begun to be. A reader that has come to the end
   * of a version and then gets true has everything that the version holds; false means that records
   * which died since may have been passed over, and that a newer version with their successors is
   * there or will be at any moment. Any thread.
   */
  public boolean isNewest(Version version) {
    // The flags that the reader has seen were read before this.
    VarHandle.acquireFence();
    return announced == version.number();
  }

  /** A cursor that goes on after this sequence number; 0 reads from the start. Any thread. */
  public Cursor cursor(long after) {
    return new Cursor(after);
  }

  /**
   * The sequence number of the newest record of a key, deletions included; 0 if there is none. It
   * may lie beyond the end of the newest version, when the writer is in the middle of a batch. Any
   * thread.
   */
  public long find(byte[] key) {
    return index.find(key, hashes.of(key), this::locate, new RecordView());
  }

  /**
   * Shows the record with this sequence number, unless it is dead or gone. It may lie beyond the
   * end of the newest version if the number came from {@link #find}. Any thread.
   *
   * @return false when the record is dead or gone: it has a successor, or it was a deletion and
   *     {@link Version#dropped} of a version that is asked for after this call is not lower, or the
   *     table has started over. The view then shows any record
   */
  public boolean read(long sequence, RecordView into) {
    return locate(sequence, into) && !into.dead();
  }

  /**
   * Shows the newest record of a key if it is a value. It may lie beyond the end of the newest
   * version, when the writer is in the middle of a batch. Any thread.
   *
   * @return false when the key has no value; the view then shows any record
   */
  public boolean get(byte[] key, RecordView into) {
    while (true) {
      long sequence = find(key);
      if (sequence == 0) {
        return false;
      }
      if (read(sequence, into)) {
        return !into.deletion();
      }
    }
  }

  /**
   * Published records are looked up in the version, where cleaning shows together with the marks of
   * what was dropped; newer ones in the log as it is.
   */
  private boolean locate(long sequence, RecordView into) {
    Version current = version;
    while (true) {
      boolean found =
          sequence <= current.end()
              ? current.locate(sequence, into)
              : log.segments().locate(sequence, into);
      Version after = version;
      if (found || after == current) {
        return found;
      }
      current = after;
    }
  }

  /** Before anything is changed that readers of older versions can see. */
  void announce(long number) {
    announced = number;
    // Neither the marks nor the version may be seen before it.
    VarHandle.releaseFence();
  }

  void publish(Version next) {
    version = next;
  }
}
