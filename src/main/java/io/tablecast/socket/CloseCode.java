package io.tablecast.socket;

/** Close codes of the protocol: RFC 6455's, and those above 4000 that are ours. */
final class CloseCode {
  static final int GOING_AWAY = 1001;
  static final int POLICY_VIOLATION = 1008;
  static final int TOO_LARGE = 1009;
  static final int INTERNAL = 1011;
  static final int STALLED = 4408;

  private CloseCode() {}
}
