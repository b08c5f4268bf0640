package io.tablecast.fanout;

import io.tablecast.token.Judge;
import io.tablecast.token.Token;
import io.tablecast.token.Verdict;
import io.tablecast.wire.ClientMessage;
import org.jspecify.annotations.Nullable;

/**
 * One subscription: its place in its session and its table's fan, and its life. It waits for the
 * table, is delivered, waits and is delivered anew when its client may have missed something, and
 * ends. Hub thread.
 */
final class Subscription {
  private final Session session;
  private final TableFan fan;
  private final ClientMessage.Subscribe request;
  private final Filter filter;
  private final Pace pace;
  private final long askedAt;

  private Mode mode;

  /** What the next start goes on from. */
  private @Nullable Token resume;

  /** Null while this waits for the table, and when it has ended. */
  private @Nullable Delivery delivery;

  private boolean ended;

  /** For {@link Members}. */
  final int[] places = Members.noPlaces();

  /** For the session: whether it is in the queue of those that are ready. */
  boolean queued;

  /**
   * @param wallClock now, ms since the epoch
   */
  Subscription(
      Session session,
      TableFan fan,
      ClientMessage.Subscribe request,
      @Nullable Token resume,
      long wallClock) {
    this.session = session;
    this.fan = fan;
    this.request = request;
    this.resume = resume;
    filter = Filter.of(request.keys(), request.prefixes());
    pace = new Pace(request.interval());
    askedAt = wallClock;
    mode =
        resume != null
            ? Mode.RESUME
            : request.snapshot() || request.resume() != null ? Mode.SNAPSHOT : Mode.LIVE;
  }

  Session session() {
    return session;
  }

  TableFan fan() {
    return fan;
  }

  ClientMessage.Subscribe request() {
    return request;
  }

  Filter filter() {
    return filter;
  }

  Pace pace() {
    return pace;
  }

  /** All changes up to this sequence number need not be kept for it; 0 before it has started. */
  long position() {
    Delivery d = delivery;
    return d == null ? 0 : d.position();
  }

  // ---- life

  /**
   * Starts on a table that has caught up, unless it has ended. False when it has to wait on, since
   * the token is ahead of the table.
   */
  boolean tryStart() {
    session.assertInLoop();
    if (ended) {
      return true; // its session was closed while those that waited with it were started
    }
    if (!fan.table.isNewest(fan.version())) {
      return false; // look-ups would see what the fan does not know of yet; it will soon
    }
    if (resume != null) {
      Verdict verdict = Judge.judge(resume, fan.version(), askedAt);
      if (verdict instanceof Verdict.Ahead) {
        return false;
      }
      if (verdict instanceof Verdict.Refused) {
        fromNothing();
      }
    }
    delivery = new Delivery(this, fan.join(this), mode, resume);
    session.events().started(fan.table.name(), mode.text());
    ready();
    return true;
  }

  /** The client's map may have missed something: it is told to begin again. */
  void startOver() {
    session.assertInLoop();
    if (ended) {
      return;
    }
    if (delivery != null) {
      fromNothing();
    }
    delivery = null;
    fan.restart(this);
  }

  private void fromNothing() {
    resume = null;
    mode = Mode.SNAPSHOT;
  }

  void end() {
    session.assertInLoop();
    ended = true;
    delivery = null;
    fan.remove(this);
  }

  /** There may be something to tell. */
  void ready() {
    session.ready(this);
  }

  // ---- delivery: see there

  @Nullable Frame next() {
    session.assertInLoop();
    Delivery d = delivery;
    return d == null ? null : d.next();
  }

  void statusChanged() {
    session.assertInLoop();
    Delivery d = delivery;
    if (d != null) {
      d.statusChanged();
    }
  }

  void tick(long now) {
    session.assertInLoop();
    Delivery d = delivery;
    if (d != null) {
      d.tick(now);
    }
  }

  void woken(long before) {
    session.assertInLoop();
    Delivery d = delivery;
    if (d != null) {
      d.woken(before);
    }
  }
}
