package io.tablecast.fanout;

import java.util.concurrent.Executor;

/**
 * The event loop that a hub is confined to: tasks run one after the other on one thread, in the
 * order given.
 */
public interface HubLoop extends Executor {
  /** Whether the calling thread is the loop's. */
  boolean inLoop();

  /** Runs a task on the loop after a delay in ms. Running the result cancels it. */
  Runnable schedule(Runnable task, long delayMillis);

  /** A clock for intervals, in ms, that never goes back; its zero means nothing. Any thread. */
  long now();
}
