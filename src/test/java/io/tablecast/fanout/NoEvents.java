package io.tablecast.fanout;

import io.tablecast.wire.ErrorCode;

/** Counts nothing. */
class NoEvents implements FanoutEvents {
  @Override
  public void subscriptions(String table, int delta) {}

  @Override
  public void delivered(String table, int changes, long skipped, int bytes) {}

  @Override
  public void started(String table, String mode) {}

  @Override
  public void refused(ErrorCode code) {}
}
