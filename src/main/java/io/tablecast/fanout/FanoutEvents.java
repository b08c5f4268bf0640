package io.tablecast.fanout;

import io.tablecast.wire.ErrorCode;

/** What is counted. Called on the hub's loop; must not block. */
public interface FanoutEvents {
  /** A subscription has been opened (+1) or has ended (-1). */
  void subscriptions(String table, int delta);

  /** A frame has been handed over: changes in it, and those that were skipped before it. */
  void delivered(String table, int changes, long skipped, int bytes);

  /** A subscription has started, with this mode (snapshot, resume, live). */
  void started(String table, String mode);

  /** A request was refused. */
  void refused(ErrorCode code);
}
