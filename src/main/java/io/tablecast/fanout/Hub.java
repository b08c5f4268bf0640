package io.tablecast.fanout;

import io.tablecast.table.Table;
import io.tablecast.table.Tables;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/** Serves the sessions of one event loop. All methods on that loop unless they say otherwise. */
public final class Hub {
  /**
   * Bookmarks and waits are looked at this many times in a bookmark interval, at most every {@link
   * #MIN_TICK} ms.
   */
  private static final int TICKS = 10;

  private static final long MIN_TICK = 50;
  private static final long MAX_TICK = 1000;

  private final HubLoop loop;
  private final Tables tables;
  private final FanoutSettings settings;
  private final FanoutEvents events;
  private final LongSupplier wallClock;
  private final BatchWriter batches;
  private final AtomicBoolean woken = new AtomicBoolean();
  // all below: accessed only from the loop's thread
  private final Map<Table, TableFan> fans = new HashMap<>();
  private final Set<Session> sessions = new HashSet<>();
  private boolean ticking;

  /**
   * @param wallClock ms since the epoch
   */
  public Hub(
      HubLoop loop,
      Tables tables,
      FanoutSettings settings,
      FanoutEvents events,
      LongSupplier wallClock) {
    this.loop = loop;
    this.tables = tables;
    this.settings = settings;
    this.events = events;
    this.wallClock = wallClock;
    batches = new BatchWriter(settings.frameBytes());
  }

  /** A session for a new connection. */
  public Session open() {
    assertInLoop();
    Session s = new Session(this);
    sessions.add(s);
    if (!ticking) {
      ticking = true;
      scheduleTick();
    }
    return s;
  }

  /**
   * Tables have newer versions. Any thread; costs next to nothing while an earlier call has not
   * been served yet.
   */
  public void wake() {
    if (woken.compareAndSet(false, true)) {
      loop.execute(this::refresh);
    }
  }

  private void refresh() {
    woken.set(false); // first: what is published from here on wakes the hub again
    List.copyOf(fans.values()).forEach(TableFan::refresh);
  }

  /** The table's fan, as of the table's newest version. */
  TableFan fan(Table table) {
    TableFan fan =
        fans.computeIfAbsent(
            table, t -> new TableFan(t, settings.format().apply(t.name()), batches));
    fan.refresh();
    return fan;
  }

  void closed(Session s) {
    sessions.remove(s);
    fans.values().removeIf(TableFan::isUnused);
  }

  private void scheduleTick() {
    loop.schedule(
        this::tick, Math.max(MIN_TICK, Math.min(MAX_TICK, settings.bookmarkMillis() / TICKS)));
  }

  private void tick() {
    ticking = !sessions.isEmpty();
    if (ticking) {
      long now = now();
      fans.values().forEach(f -> f.tick(now));
      scheduleTick();
    }
  }

  FanoutSettings settings() {
    return settings;
  }

  FanoutEvents events() {
    return events;
  }

  Tables tables() {
    return tables;
  }

  /** A clock for intervals, in ms. */
  long now() {
    return loop.now();
  }

  long wallClock() {
    return wallClock.getAsLong();
  }

  void execute(Runnable task) {
    loop.execute(task);
  }

  void schedule(Runnable task, long delayMillis) {
    loop.schedule(task, delayMillis);
  }

  /** Runs the task now when called on the loop, else soon. */
  void inLoop(Runnable task) {
    if (loop.inLoop()) {
      task.run();
    } else {
      loop.execute(task);
    }
  }

  void assertInLoop() {
    assert loop.inLoop() : "a hub is confined to its event loop, not " + Thread.currentThread();
  }
}
