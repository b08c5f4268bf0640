package io.tablecast.socket;

import io.netty.channel.EventLoop;
import io.tablecast.fanout.Hub;
import io.tablecast.fanout.Session;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What one event loop serves: its hub, and the clients that are looked after in turns. Confined to the loop. */
public final class Room {
  /** A client that is looked after. */
  public interface Guest {
    /** Looks for what has taken too long. */
    void sweep(long nanoTime);
  }

  private final EventLoop loop;
  private final Hub hub;
  private final Set<Guest> guests = new LinkedHashSet<>();

  Room(EventLoop loop, Hub hub, long sweepMillis) {
    this.loop = loop;
    this.hub = hub;
    // One timer for all clients of the loop: a timer for each frame would cost more than the frame.
    var unused =
        loop.scheduleWithFixedDelay(this::sweep, sweepMillis, sweepMillis, TimeUnit.MILLISECONDS);
  }

  Hub hub() {
    return hub;
  }

  /** A session for a new connection on this loop. */
  public Session open() {
    assert loop.inEventLoop();
    return hub.open();
  }

  /** Looks after this client until it {@linkplain #remove goes}. */
  public void add(Guest guest) {
    assert loop.inEventLoop();
    guests.add(guest);
  }

  /** Looks after it no longer. */
  public void remove(Guest guest) {
    assert loop.inEventLoop();
    guests.remove(guest);
  }

  private void sweep() {
    long now = System.nanoTime();
    List.copyOf(guests).forEach(g -> g.sweep(now));
  }
}
