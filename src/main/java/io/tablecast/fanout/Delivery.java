package io.tablecast.fanout;

import io.tablecast.token.Since;
import io.tablecast.token.Token;
import org.jspecify.annotations.Nullable;

/**
 * What one start of a subscription brings its client, message after message: {@code subscribed},
 * what was there, {@code live} once it has been told everything that the hub knew at one moment,
 * and what follows. Never queues a message: {@link #next} makes the one that is due when the
 * session can send it. Hub thread.
 */
final class Delivery {
  private final Subscription owner;
  private final Session session;
  private final TableFan fan;
  private final Group group;
  private final Mode mode;
  private final Pace pace;
  private final Reading reading;
  private final Tally tally;
  private final Framing frames;

  private boolean opened;
  private boolean live;
  private boolean liveDue = true;

  /** The token of a {@code live} that can be sent now. */
  private @Nullable Named liveToken;

  /** Since when the table is stale as the client has been told, ms since the epoch; 0 for not. */
  private long staleTold;

  private boolean bookmarkDue;

  /** When the client last heard of this, on the session's clock. */
  private long quietSince;

  /**
   * Starts at the fan's version.
   *
   * @param group which the subscription has joined
   * @param resume for a resume
   */
  Delivery(Subscription owner, Group group, Mode mode, @Nullable Token resume) {
    this.owner = owner;
    this.group = group;
    this.mode = mode;
    session = owner.session();
    fan = owner.fan();
    pace = owner.pace();
    Since since = resume == null ? null : new Since(resume);
    reading = new Reading(fan, group, mode, since, owner.request().meta());
    tally = new Tally(group);
    frames = new Framing(owner.request().id(), fan, resume);
  }

  /** See {@link Reading}. */
  long position() {
    return reading.position();
  }

  // ---- messages

  /**
   * The message that is due, or null when there is none now: then this makes its subscription ready
   * again when there is.
   */
  @Nullable Frame next() {
    Frame frame = due();
    if (frame != null) {
      bookmarkDue = false; // it has just been heard of, and may have become stale
      quietSince = session.now();
    }
    return frame;
  }

  private @Nullable Frame due() {
    if (!opened) {
      opened = true;
      return frames.subscribed(mode);
    }
    if (liveToken != null) {
      return live(liveToken);
    }
    if (live && !liveDue && staleTold == 0 && fan.status().stale()) {
      staleTold = fan.status().staleSince();
      return frames.stale(staleTold);
    }
    return changes();
  }

  private @Nullable Frame changes() {
    long before = reading.position();
    if (live && before < fan.end() && !pace.mayDeliver(session.now(), before, fan.end())) {
      session.later(owner, pace.waitMillis(session.now()));
      return null;
    }
    Batch batch = reading.read();
    if (reading.missedDeletion(before)) {
      owner.startOver();
      fan.startWaiting();
      return null;
    }
    if (liveDue && reading.complete()) {
      liveToken = fan.token();
    }
    return batch == null ? idle() : changes(batch, before);
  }

  private Frame changes(Batch batch, long before) {
    long skipped = live ? tally.skipped(batch, before, reading.complete()) : 0;
    Frame frame = frames.changes(batch, skipped);
    session.events().delivered(fan.table.name(), batch.count(), skipped, frame.size());
    return frame;
  }

  private @Nullable Frame idle() {
    if (!reading.atEnd()) {
      session.yield(owner);
      return null;
    }
    if (liveToken != null) {
      return live(liveToken);
    }
    if (bookmarkDue) {
      Named token = fan.token();
      if (token != null) {
        return frames.positioned(FrameType.BOOKMARK, token);
      }
    }
    if (liveDue) {
      fan.postpone(owner);
    } else {
      group.waiting.add(owner);
      group.settle();
    }
    return null;
  }

  private Frame live(Named token) {
    liveToken = null;
    liveDue = false;
    live = true;
    staleTold = 0;
    tally.settle();
    return frames.positioned(FrameType.LIVE, token);
  }

  // ---- what happens meanwhile

  /** Touch with Kafka was lost or is back. */
  void statusChanged() {
    if (staleTold != 0) {
      liveDue = !fan.status().stale();
      liveToken = liveDue ? liveToken : null; // lost again before it was told that it was back
    }
    wake();
  }

  void tick(long now) {
    if (live
        && staleTold == 0
        && group.waiting.contains(owner)
        && now - quietSince >= session.bookmarkMillis()) {
      bookmarkDue = true;
      wake();
    }
  }

  private void wake() {
    // Also when live is due: it may have to be postponed, and can't wait in two places.
    if (group.waiting.remove(owner)) {
      reading.passOver(fan.end());
    }
    owner.ready();
  }

  /**
   * Changes that match have been routed while this was waiting.
   *
   * @param before the fan's end before them: all up to there did not match
   */
  void woken(long before) {
    reading.passOver(before);
    owner.ready();
  }
}
