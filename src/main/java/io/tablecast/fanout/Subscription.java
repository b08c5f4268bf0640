package io.tablecast.fanout;

import io.tablecast.table.Cursor;
import io.tablecast.table.Version;
import io.tablecast.token.Judge;
import io.tablecast.token.Since;
import io.tablecast.token.Token;
import io.tablecast.token.Verdict;
import io.tablecast.wire.ClientMessage;
import io.tablecast.wire.ServerMessages;
import org.jspecify.annotations.Nullable;

/**
 * One subscription: a position in a table and the messages that lead on from it. It never queues a
 * message: {@link #next} makes the one that is due when the session can send it. Hub thread.
 *
 * <p>Its life: waiting for the table, opening ({@code subscribed} is due), catching up (what was
 * there when it started, read by a {@link Source}), following (its group's queue, or the log). It
 * is live once it has been told everything that the hub knew at one moment.
 */
final class Subscription {
  static final Members.Place IN_GROUP = Places.IN_GROUP;
  static final Members.Place IN_FAN = Places.IN_FAN;
  static final Members.Place WAITING = Places.WAITING;

  private enum Phase {
    WAITING,
    OPENING,
    OPEN,
    ENDED
  }

  private final Session session;
  private final TableFan fan;
  private final ClientMessage.Subscribe request;
  private final Filter filter;
  private final Pace pace;
  private final byte[] plainHead;
  private final long askedAt;
  private @Nullable Token resume;

  private Phase phase = Phase.WAITING;
  private Mode mode;
  private @Nullable Source source;
  private @Nullable Group group;
  private final Cursor cursor;

  /**
   * All changes up to this sequence number have been told, were superseded, or don't matter to the
   * client.
   */
  private long position;

  /**
   * The end of the table when this started: deletions up to it are no news to a client that began
   * with nothing.
   */
  private long startedAt;

  private long droppedAtStart;
  private long gate;
  private boolean live;
  private boolean liveDue;
  private @Nullable Named liveToken;

  /** The newest token that the client has: it holds everything up to there. */
  private @Nullable Token held;

  private long staleTold;
  private long routedBefore;
  private long toldSince;
  private boolean bookmarkDue;
  private long quietSince;

  int indexInGroup = -1;
  int indexInFan = -1;
  int indexWaiting = -1;
  boolean queued;

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
    plainHead = ServerMessages.changesHead(request.id(), 0, null);
    askedAt = wallClock;
    mode =
        resume != null
            ? Mode.RESUME
            : request.snapshot() || request.resume() != null ? Mode.SNAPSHOT : Mode.LIVE;
    cursor = fan.table.cursor(0);
  }

  String id() {
    return request.id();
  }

  TableFan fan() {
    return fan;
  }

  Filter filter() {
    return filter;
  }

  long position() {
    return position;
  }

  // ---- life

  /**
   * Starts on a table that has caught up, unless it has ended. False when it has to wait on, since
   * the token is ahead of the table.
   */
  boolean tryStart() {
    if (phase == Phase.ENDED) {
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
        resume = null;
        mode = Mode.SNAPSHOT;
      }
    }
    start();
    return true;
  }

  private void start() {
    phase = Phase.OPENING;
    startedAt = fan.end();
    droppedAtStart = fan.version().dropped();
    group = fan.join(this);
    source =
        Source.of(
            mode, group, resume == null ? null : new Since(resume), fan, cursor, request.meta());
    held = resume;
    gate = source instanceof KeySource keys ? keys.gate() : 0;
    advance();
    live = false;
    liveDue = true;
    liveToken = null;
    staleTold = 0;
    bookmarkDue = false;
    session.events().started(fan.table.name(), mode.text());
    ready();
  }

  /** The client's map may have missed something: it is told to begin again. */
  void startOver() {
    if (phase == Phase.ENDED) {
      return;
    }
    if (phase != Phase.WAITING) {
      resume = null;
      mode = Mode.SNAPSHOT;
    }
    phase = Phase.WAITING;
    group = null;
    source = null;
    fan.restart(this);
  }

  void end() {
    phase = Phase.ENDED;
    source = null;
    fan.remove(this);
  }

  /** There may be something to tell. */
  void ready() {
    session.ready(this);
  }

  // ---- messages

  /**
   * The message that is due, or null when there is none now: then this makes itself ready again
   * when there is.
   */
  @Nullable Frame next() {
    if (phase == Phase.WAITING || phase == Phase.ENDED) {
      return null;
    }
    if (phase == Phase.OPENING) {
      phase = Phase.OPEN;
      return whole(
          FrameType.SUBSCRIBED,
          ServerMessages.subscribed(id(), fan.table.name(), mode.text()),
          null);
    }
    if (liveToken != null) {
      return live(liveToken);
    }
    if (live && !liveDue && staleTold == 0 && fan.status().stale()) {
      staleTold = fan.status().staleSince();
      return whole(FrameType.STALE, ServerMessages.stale(id(), staleTold), null);
    }
    return changes();
  }

  private @Nullable Frame changes() {
    if (live && position < fan.end() && !pace.mayDeliver(session.now(), position, fan.end())) {
      session.later(this, pace.waitMillis(session.now()));
      return null;
    }
    long before = position;
    Batch batch = source == null ? follow() : source.read();
    if (missedDeletion(before)) {
      startOver();
      fan.startWaiting();
      return null;
    }
    advance();
    if (atEnd() && liveDue) {
      liveToken = fan.token();
    }
    if (batch != null) {
      return frame(batch, before);
    }
    return idle();
  }

  private @Nullable Frame idle() {
    if (source != null || position < fan.end()) {
      session.yield(this);
      return null;
    }
    if (liveToken != null) {
      return live(liveToken);
    }
    if (bookmarkDue) {
      Named token = fan.token();
      if (token != null) {
        bookmarkDue = false;
        return positioned(FrameType.BOOKMARK, token);
      }
    }
    if (liveDue) {
      fan.postpone(this);
    } else {
      group().waiting.add(this);
      group().settle();
    }
    return null;
  }

  private Frame frame(Batch batch, long before) {
    long skipped = skipped(batch, before);
    Named whole = batch.token();
    Named partly = whole == null && held != null ? fan.partly(held) : null;
    held = whole == null ? held : whole.token();
    String own = partly == null ? null : partly.text();
    byte[] head =
        skipped > 0 || own != null ? ServerMessages.changesHead(id(), skipped, own) : plainHead;
    session
        .events()
        .delivered(fan.table.name(), batch.count(), skipped, head.length + batch.body().length);
    quietSince = session.now();
    bookmarkDue = false;
    return new Frame(FrameType.CHANGES, head, batch.body(), whole == null ? own : whole.text());
  }

  private Frame live(Named token) {
    liveToken = null;
    liveDue = false;
    live = true;
    staleTold = 0;
    settleCounts();
    return positioned(FrameType.LIVE, token);
  }

  private Frame positioned(FrameType type, Named token) {
    held = token.token();
    return whole(type, ServerMessages.positioned(type.type(), id(), token.text()), token.text());
  }

  private Frame whole(FrameType type, byte[] message, @Nullable String token) {
    bookmarkDue = false; // it has just been heard of, and may have become stale
    quietSince = session.now();
    return new Frame(type, message, EMPTY, token);
  }

  private static final byte[] EMPTY = new byte[0];

  /** Everything that the hub knew has been told. */
  private boolean atEnd() {
    return source == null && position >= Math.max(fan.end(), gate);
  }

  // ---- reading

  /**
   * Takes over the source's position; when it has read everything, the group's queue goes on from
   * there.
   */
  private void advance() {
    if (source != null) {
      position = source.position();
      source = source.done() ? null : source;
    } else if (position == 0) {
      position = startedAt;
    }
  }

  private @Nullable Batch follow() {
    Group g = group;
    if (g == null || position >= fan.end()) {
      return null;
    }
    BatchCache.Place place = new BatchCache.Place(position, false, request.meta());
    Batch batch = g.cache.get(place);
    // An older one goes less far, and step by step.
    if (batch == null || batch.builtAt() < fan.end() || !fan.confirms(batch)) {
      batch =
          filter.all()
              ? Following.log(fan, cursorAtPosition(), request.meta())
              : Following.queue(fan, g, position, request.meta());
      if (g.members.size() > 1 && batch.count() > 0) {
        g.cache.put(place, batch);
      }
    }
    position = batch.to();
    return batch.count() == 0 ? null : batch;
  }

  private Cursor cursorAtPosition() {
    if (cursor.position() != position) {
      cursor.seek(position);
    }
    return cursor;
  }

  private Group group() {
    Group g = group;
    if (g == null) {
      throw new IllegalStateException("not started");
    }
    return g;
  }

  /**
   * Whether a deletion that this client needs has been dropped for its age before it was told, so
   * that what has just been read may lack it. One that began with nothing needs only those after
   * its start.
   *
   * @param before the position before reading
   */
  private boolean missedDeletion(long before) {
    Version newest = fan.table.version(); // not the fan's: what is dropped is gone for it too
    long needed = mode == Mode.SNAPSHOT ? Math.max(before, startedAt) : before;
    return newest.dropped() > needed && newest.dropped() != droppedAtStart;
  }

  // ---- what was skipped

  private long skipped(Batch batch, long before) {
    if (!live) {
      return 0;
    }
    if (filter.all()) {
      return Math.max(0, batch.to() - before - batch.count());
    }
    toldSince += batch.count();
    if (!atEnd()) {
      return 0;
    }
    long skipped = Math.max(0, group().routed() - routedBefore - toldSince);
    settleCounts();
    return skipped;
  }

  private void settleCounts() {
    routedBefore = group().routed();
    toldSince = 0;
  }

  // ---- time

  /** Touch with Kafka was lost or is back. */
  void statusChanged() {
    if (phase != Phase.OPEN) {
      return;
    }
    if (staleTold != 0 && !fan.status().stale()) {
      liveDue = true;
    } else if (live && staleTold != 0 && fan.status().stale()) {
      liveDue = false; // lost again before it was told that it was back
      liveToken = null;
    }
    wake();
  }

  void tick(long now) {
    if (phase == Phase.OPEN
        && live
        && staleTold == 0
        && group().waiting.contains(this)
        && now - quietSince >= session.bookmarkMillis()) {
      bookmarkDue = true;
      wake();
    }
  }

  private void wake() {
    // Also when live is due: it may have to be postponed, and can't wait in two places.
    if (group().waiting.remove(this)) {
      position = Math.max(position, fan.end());
    }
    ready();
  }

  /**
   * Changes that match have been routed while this was waiting.
   *
   * @param before the fan's end before them: all up to there did not match
   */
  void woken(long before) {
    position = Math.max(position, before);
    ready();
  }

  /** Where a subscription keeps its indexes. */
  private enum Places implements Members.Place {
    IN_GROUP {
      @Override
      public int get(Subscription s) {
        return s.indexInGroup;
      }

      @Override
      public void set(Subscription s, int index) {
        s.indexInGroup = index;
      }
    },
    IN_FAN {
      @Override
      public int get(Subscription s) {
        return s.indexInFan;
      }

      @Override
      public void set(Subscription s, int index) {
        s.indexInFan = index;
      }
    },
    WAITING {
      @Override
      public int get(Subscription s) {
        return s.indexWaiting;
      }

      @Override
      public void set(Subscription s, int index) {
        s.indexWaiting = index;
      }
    }
  }
}
