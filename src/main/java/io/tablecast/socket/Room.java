package io.tablecast.socket;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import io.tablecast.fanout.Hub;
import io.tablecast.fanout.Session;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * What one event loop serves: its hub, and the clients that are looked after in turns. Confined to
 * the loop.
 */
public final class Room {
  /** A client that is looked after. */
  public interface Guest {
    /** Looks for what has taken too long. */
    void sweep(long nanoTime);

    /**
     * Closes in order, since the service is stopping: the client is to go on elsewhere. Further
     * calls do nothing.
     */
    void goAway();
  }

  private final EventLoop loop;
  private final Hub hub;
  private final BooleanSupplier stopping;
  private final EncodedFrames frames = new EncodedFrames(ByteBufAllocator.DEFAULT);
  private final Set<Guest> guests = new LinkedHashSet<>();

  Room(EventLoop loop, Hub hub, long sweepMillis, BooleanSupplier stopping) {
    this.loop = loop;
    this.hub = hub;
    this.stopping = stopping;
    // One timer for all clients of the loop: a timer for each frame would cost more than the frame.
    var unused =
        loop.scheduleWithFixedDelay(this::sweep, sweepMillis, sweepMillis, TimeUnit.MILLISECONDS);
  }

  Hub hub() {
    return hub;
  }

  /** What the loop's clients send. */
  EncodedFrames frames() {
    return frames;
  }

  /** A session for a new connection on this loop. */
  public Session open() {
    assert loop.inEventLoop();
    return hub.open();
  }

  /**
   * Looks after this client until it {@linkplain #remove goes}; sends it away again when the
   * service is stopping.
   */
  public void add(Guest guest) {
    assert loop.inEventLoop();
    guests.add(guest);
    if (stopping.getAsBoolean()) {
      loop.execute(guest::goAway);
    }
  }

  /** Looks after it no longer. */
  public void remove(Guest guest) {
    assert loop.inEventLoop();
    guests.remove(guest);
  }

  /**
   * Sends the clients away, those first that came first, at even intervals over this time. Any
   * thread.
   *
   * @param phase where in its interval each one goes, from 0 to 1, so that the loops take turns
   */
  void drain(long millis, double phase) {
    loop.execute(
        () -> {
          List<Guest> leaving = List.copyOf(guests);
          for (int i = 0; i < leaving.size(); i++) {
            long delay = (long) (millis * (i + phase) / leaving.size());
            var unused = loop.schedule(leaving.get(i)::goAway, delay, TimeUnit.MILLISECONDS);
          }
        });
  }

  private void sweep() {
    long now = System.nanoTime();
    List.copyOf(guests).forEach(g -> g.sweep(now));
  }
}
