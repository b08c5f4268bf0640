package io.tablecast.token;

import io.tablecast.table.Frontier;
import io.tablecast.table.PartitionFrontier;
import io.tablecast.table.Version;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a token can be honoured: only if every record and every deletion after it is
 * known here. Each rule answers one way in which something could be missing. Pure functions.
 */
public final class Judge {
  /**
   * Clocks of replicas and brokers may differ by this share of the tombstone retention, and at most
   * {@link #MAX_MARGIN}.
   */
  static final long MARGIN_SHARE = 10;

  /** Largest allowance for clocks, in ms. */
  static final long MAX_MARGIN = 60_000;

  /** Of a partition that the token does not know: nothing of it has been seen. */
  private static final Token.Position ADDED_SINCE = new Token.Position(0, 0, -1, 0);

  private Judge() {}

  /**
   * Judges a token.
   *
   * @param version of a table that has caught up
   * @param askedAt when the client asked, in ms since the epoch: a replica that has followed the
   *     log beyond that time and still has not reached the token never will
   */
  public static Verdict judge(Token token, Version version, long askedAt) {
    Frontier here = version.status().frontier();
    if (!token.topicId().equals(here.topicId())) {
      return new Verdict.Refused("the token is of another topic");
    }
    String ahead = ahead(token, here);
    if (ahead
        != null) { // before all other rules: not even a snapshot may show what is older than the
      // client has
      return here.asOf() >= askedAt ? new Verdict.Refused(ahead) : new Verdict.Ahead();
    }
    for (int p = 0; p < here.partitions().size(); p++) {
      Token.Position then = p < token.partitions().size() ? token.partitions().get(p) : ADDED_SINCE;
      String reason = missing(p, then, token.asOf(), here, version);
      if (reason != null) {
        return new Verdict.Refused("partition " + p + ": " + reason);
      }
    }
    return new Verdict.Exact();
  }

  /** In what the token is ahead of this replica; null if it is not. */
  private static @Nullable String ahead(Token token, Frontier here) {
    if (token.partitions().size() > here.partitions().size()) {
      return "the token knows more partitions than the topic has";
    }
    for (int p = 0; p < token.partitions().size(); p++) {
      Token.Position then = token.partitions().get(p);
      PartitionFrontier now = here.partitions().get(p);
      if (then.seen() > now.next()) {
        return "partition " + p + ": the log ends before the token";
      }
      if (then.start() > now.start()) {
        return "partition " + p + ": the log starts before the token's start";
      }
    }
    return null;
  }

  /** Why something after the position may not be known here; null if everything is. */
  private static @Nullable String missing(
      int partition, Token.Position then, long asOf, Frontier here, Version version) {
    PartitionFrontier now = here.partitions().get(partition);
    if (then.start() < now.origin()) {
      return "records were deleted from the start of the log before this replica read them";
    }
    if (then.start() <= version.droppedExpiry(partition)) {
      return "it is no longer known which keys the start of the log has passed";
    }
    if (then.next() <= version.droppedOffset(partition)) {
      return "a tombstone after the token has been dropped here";
    }
    if (mayHaveMissed(asOf, now.caughtUpAt(), here.tombstoneRetention())) {
      return "the token is older than the tombstones that the log still held when it was read";
    }
    if (now.leaderEpoch() >= 0 && then.leaderEpoch() > now.leaderEpoch()) {
      return "the log was truncated: the token has seen a later leader epoch";
    }
    if (then.leaderEpoch() >= 0 && now.epochs().before(then.next()) > then.leaderEpoch()) {
      return "the log was truncated and has grown again: a later leader wrote what lies before the token";
    }
    return null;
  }

  /**
   * Whether a tombstone written after {@code asOf} may have been compacted away before the read of
   * the log passed it: brokers keep one for at least {@code retention} ms.
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
}
