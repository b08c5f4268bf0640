package io.tablecast.fanout;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/** An event loop that runs on the test's thread, task by task, with a clock that the test moves. */
final class FakeLoop implements HubLoop {
  private record Timed(long at, long order, Runnable task) {}

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final PriorityQueue<Timed> timed =
      new PriorityQueue<>(Comparator.comparingLong(Timed::at).thenComparingLong(Timed::order));
  private long now = 1_000;
  private long order;

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public boolean inLoop() {
    return true;
  }

  @Override
  public Runnable schedule(Runnable task, long delayMillis) {
    Timed t = new Timed(now + delayMillis, order++, task);
    timed.add(t);
    return () -> timed.remove(t);
  }

  @Override
  public long now() {
    return now;
  }

  /** Runs one task that is due. */
  boolean step() {
    while (!timed.isEmpty() && timed.peek().at() <= now) {
      tasks.add(timed.remove().task());
    }
    Runnable task = tasks.poll();
    if (task != null) {
      task.run();
    }
    return task != null;
  }

  /** Runs everything that is due. */
  void drain() {
    while (step()) {}
  }

  /** Moves the clock, running what becomes due on the way. */
  void advance(long millis) {
    long end = now + millis;
    while (!timed.isEmpty() && timed.peek().at() <= end) {
      now = Math.max(now, timed.peek().at());
      drain();
    }
    now = end;
    drain();
  }
}
