package io.tablecast.feed;

import java.util.List;

/** What a table is doing. Immutable; the methods are the only legal transitions. */
public sealed interface TableState {
  /** Nothing is known yet. */
  TableState START = new Waiting("no answer from Kafka yet");

  /** One word for health data, e.g. {@code replaying}. */
  String word();

  /** Whether values may be shown: every partition has reached the end that its log had at the (re)start. */
  default boolean caughtUp() {
    return false;
  }

  /** Can't read. */
  record Waiting(String reason) implements TableState {
    @Override
    public String word() {
      return "waiting";
    }
  }

  /** Reads what the log held at the (re)start. */
  record Replaying(List<Progress> progress) implements TableState {
    /** Copies the list. */
    public Replaying {
      progress = List.copyOf(progress);
    }

    @Override
    public String word() {
      return "replaying";
    }
  }

  /** Follows. */
  record CaughtUp() implements TableState {
    @Override
    public String word() {
      return "caught-up";
    }

    @Override
    public boolean caughtUp() {
      return true;
    }
  }

  /** Has caught up, and lost touch with Kafka since. */
  record Stale(long since) implements TableState {
    @Override
    public String word() {
      return "stale";
    }

    @Override
    public boolean caughtUp() {
      return true;
    }
  }

  /**
   * How far a partition has been read.
   *
   * @param position the next offset
   * @param end the end that its log had at the (re)start
   */
  record Progress(int partition, long position, long end) {
    /** Offsets still to read; 0 when the end has been reached. */
    public long remaining() {
      return Math.max(0, end - position);
    }
  }
}
