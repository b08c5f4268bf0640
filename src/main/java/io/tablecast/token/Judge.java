package io.tablecast.token;

import io.tablecast.table.Frontier;
import io.tablecast.table.PartitionFrontier;
import io.tablecast.table.Version;

/**
 * Decides whether a token can be honoured: only if every record and every deletion after it is known here. Each rule answers
 * one way in which something could be missing. Pure functions.
 */
public final class Judge {
  /** Clocks of replicas and brokers may differ by this share of the tombstone retention, and at most {@link #MAX_MARGIN}. */
  static final long MARGIN_SHARE = 10;

  /** Largest allowance for clocks, in ms. */
  static final long MAX_MARGIN = 60_000;

  private Judge() {}

  /**
   * Judges a token.
   *
   * @param version of a table that has caught up
   * @param askedAt when the client asked, in ms since the epoch: a replica that has followed the log beyond that time and still
   *     has not reached the token never will
   */
  public static Verdict judge(Token token, Version version, long askedAt) {
    Frontier here = version.status().frontier();
    if (!token.topicId().equals(here.topicId())) {
      return new Verdict.Refused("the token is of another topic");
    }
    if (token.partitions().size() > here.partitions().size()) {
      return behind(here, askedAt, "the token knows more partitions");
    }
    for (int p = 0; p < here.partitions().size(); p++) {
      Token.Position then =
          p < token.partitions().size() ? token.partitions().get(p) : new Token.Position(0, 0, -1);
      Verdict v = partition(p, then, token.asOf(), here, version, askedAt);
      if (!(v instanceof Verdict.Exact)) {
        return v;
      }
    }
    return new Verdict.Exact();
  }

  private static Verdict partition(
      int partition, Token.Position then, long asOf, Frontier here, Version version, long askedAt) {
    PartitionFrontier now = here.partitions().get(partition);
    if (then.start() < now.origin()) {
      return refused(partition, "records were deleted from the start of the log before this replica read it");
    }
    if (then.start() <= version.droppedExpiry(partition)) {
      return refused(partition, "it is no longer known which keys the start of the log has passed");
    }
    if (then.next() <= version.droppedOffset(partition)) {
      return refused(partition, "a tombstone after the token has been dropped here");
    }
    if (mayHaveMissed(asOf, now.caughtUpAt(), here.tombstoneRetention())) {
      return refused(partition, "the token is older than the tombstones that the log still held when it was read");
    }
    if (then.next() > now.next()) {
      return behind(here, askedAt, "partition " + partition + ": the log ends before the token");
    }
    if (then.leaderEpoch() > now.leaderEpoch() && now.leaderEpoch() >= 0) {
      return refused(partition, "the log was truncated: the token has seen a later leader epoch");
    }
    return new Verdict.Exact();
  }

  /**
   * Whether a tombstone written after {@code asOf} may have been compacted away before the read of the log passed it: brokers
   * keep one for at least {@code retention} ms.
   *
   * @param readBy when the read had passed all that the log held at its beginning
   */
  static boolean mayHaveMissed(long asOf, long readBy, long retention) {
    return readBy > asOf && readBy - asOf >= retention - margin(retention);
  }

  /** The allowance for clocks, in ms. */
  static long margin(long retention) {
    return Math.min(retention / MARGIN_SHARE, MAX_MARGIN);
  }

  private static Verdict behind(Frontier here, long askedAt, String reason) {
    return here.asOf() >= askedAt ? new Verdict.Refused(reason) : new Verdict.Ahead();
  }

  private static Verdict refused(int partition, String reason) {
    return new Verdict.Refused("partition " + partition + ": " + reason);
  }
}
