package io.tablecast.token;

/** What a replica makes of a token. */
public sealed interface Verdict {
  /** What came after the token is known here exactly. */
  record Exact() implements Verdict {}

  /**
   * The token is ahead of this replica: the question is to be asked again once the replica has
   * followed the log further.
   */
  record Ahead() implements Verdict {}

  /**
   * What came after the token can't be told exactly.
   *
   * @param reason for logs
   */
  record Refused(String reason) implements Verdict {}
}
