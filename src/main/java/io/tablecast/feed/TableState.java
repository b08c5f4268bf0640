package io.tablecast.feed;

import java.util.List;

/**
 * What a table is doing. Immutable; the methods are the only legal transitions:
 *
 * <pre>
 *   Waiting ──replay──▶ Replaying ──(all ends reached)──▶ CaughtUp ◀──lost / regained──▶ Stale
 *      ▲                    │                                │                             │
 *      └──────────────── waiting (the table starts over, or its topic is gone) ────────────┘
 * </pre>
 */
public sealed interface TableState {
  /** One word for health data, e.g. {@code replaying}. */
  String word();

  /**
   * Whether values may be shown: every partition has reached the end that its log had at the
   * (re)start.
   */
  default boolean caughtUp() {
    return false;
  }

  /** Nothing can be read, for this reason, or all that was read is void. */
  default Waiting waiting(String reason) {
    return new Waiting(reason);
  }

  /** Nothing is known of the topic yet. */
  static Waiting start() {
    return new Waiting("no answer from Kafka yet");
  }

  /** Can't read. */
  record Waiting(String reason) implements TableState {
    /** The partitions and their ends are known; an empty topic has caught up at once. */
    public TableState replay(List<Progress> progress) {
      return new Replaying(progress).moved(progress);
    }

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

    /** The positions, or what is known of the ends, have changed. */
    public TableState moved(List<Progress> now) {
      return now.stream().allMatch(Progress::done) ? new CaughtUp() : new Replaying(now);
    }

    @Override
    public String word() {
      return "replaying";
    }
  }

  /** Follows. */
  record CaughtUp() implements TableState {
    /** No contact since this time, in ms since the epoch. */
    public Stale lost(long since) {
      return new Stale(since);
    }

    @Override
    public String word() {
      return "caught-up";
    }

    @Override
    public boolean caughtUp() {
      return true;
    }
  }

  /** Has caught up, and has lost touch with Kafka since this time, in ms since the epoch. */
  record Stale(long since) implements TableState {
    /** Follows again. */
    public CaughtUp regained() {
      return new CaughtUp();
    }

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
   * @param end the end that its log had at the (re)start; -1 while it could not be asked for, e.g.
   *     without a leader
   */
  record Progress(int partition, long position, long end) {
    /**
     * Whether the end is known and has been reached. By position, not by the last record: a log may
     * end without one.
     */
    public boolean done() {
      return end >= 0 && position >= end;
    }

    /** Offsets still to read; 0 when the end has been reached, -1 while it is not known. */
    public long remaining() {
      return end < 0 ? -1 : Math.max(0, end - position);
    }
  }
}
