package io.tablecast.fanout;

import io.tablecast.table.Table;
import io.tablecast.table.Tables;

/** Serves the sessions of one event loop. */
public final class Hub {
  public Hub(HubLoop loop, Tables tables, FanoutSettings settings, FanoutEvents events) {}

  /** A session for a new connection. Loop thread. */
  public Session open() {
    throw new UnsupportedOperationException();
  }

  /** A table has a newer version. Any thread; costs nothing while an earlier call has not been served yet. */
  public void wake(Table table) {
    throw new UnsupportedOperationException();
  }
}
