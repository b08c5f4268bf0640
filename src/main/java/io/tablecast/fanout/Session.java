package io.tablecast.fanout;

import io.tablecast.table.Table;
import io.tablecast.token.Token;
import io.tablecast.wire.ClientMessage;
import io.tablecast.wire.ErrorCode;
import io.tablecast.wire.ServerMessages;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * One connection's subscriptions. All methods on the hub's loop.
 *
 * <p>As a publisher it has one subscriber, never completes by itself, and builds a frame when one
 * is asked for and there is something to tell: demand is what drives it, so what waits is a
 * position, not a queue of frames. Subscriptions take turns.
 */
public final class Session implements Flow.Publisher<Frame> {
  private static final byte[] EMPTY = new byte[0];

  private final Hub hub;
  private final Map<String, Subscription> open = new HashMap<>();
  private final Queue<Frame> replies = new ArrayDeque<>();
  private final Queue<Subscription> ready = new ArrayDeque<>();
  private Flow.@Nullable Subscriber<? super Frame> subscriber;
  private long demand;
  private boolean pumping;
  private boolean closed;

  Session(Hub hub) {
    this.hub = hub;
  }

  // ---- what clients ask for

  /**
   * Does what a client asks for; the answer, or the error, comes as a frame.
   *
   * @return false when it was refused
   */
  public boolean receive(ClientMessage message) {
    hub.assertInLoop();
    if (closed) {
      return true;
    }
    if (message instanceof ClientMessage.Subscribe s) {
      return subscribe(s);
    }
    if (message instanceof ClientMessage.Unsubscribe u) {
      return unsubscribe(u.id());
    }
    reply(FrameType.PONG, ServerMessages.pong());
    return true;
  }

  /** Sends an error message. */
  public void refuse(@Nullable String id, ErrorCode code, String message) {
    hub.assertInLoop();
    hub.events().refused(code);
    reply(FrameType.ERROR, ServerMessages.error(id, code, message));
  }

  private boolean subscribe(ClientMessage.Subscribe s) {
    Table table = hub.tables().find(s.table());
    Optional<Token> token = s.resume() == null ? Optional.empty() : Token.decode(s.resume());
    FanoutSettings limits = hub.settings();
    if (open.containsKey(s.id())) {
      return refused(
          s.id(),
          ErrorCode.DUPLICATE_ID,
          "'id' is in use on this connection: unsubscribe it first, or take another");
    }
    if (table == null) {
      return refused(
          s.id(),
          ErrorCode.UNKNOWN_TABLE,
          "there is no table '" + abbreviate(s.table()) + "': GET /tables lists them");
    }
    if (open.size() >= limits.maxSubscriptions()) {
      return refused(
          s.id(),
          ErrorCode.TOO_MANY_SUBSCRIPTIONS,
          "at most " + limits.maxSubscriptions() + " subscriptions on one connection");
    }
    if (s.keys().size() + s.prefixes().size() > limits.maxKeys()) {
      return refused(
          s.id(),
          ErrorCode.TOO_MANY_KEYS,
          "'keys' and 'prefixes' may have " + limits.maxKeys() + " elements together");
    }
    if (s.resume() != null && token.isEmpty() && !s.lenient()) {
      return refused(s.id(), ErrorCode.BAD_TOKEN, "'resume' is not a token: subscribe without it");
    }
    TableFan fan = hub.fan(table);
    Subscription subscription = new Subscription(this, fan, s, token.orElse(null), hub.wallClock());
    open.put(s.id(), subscription);
    hub.events().subscriptions(table.name(), 1);
    fan.add(subscription);
    return true;
  }

  private boolean unsubscribe(String id) {
    Subscription s = open.remove(id);
    if (s == null) {
      return refused(
          id,
          ErrorCode.UNKNOWN_ID,
          "no subscription '" + abbreviate(id) + "' is open on this connection");
    }
    end(s);
    reply(FrameType.UNSUBSCRIBED, ServerMessages.unsubscribed(id));
    return true;
  }

  private boolean refused(String id, ErrorCode code, String message) {
    refuse(id, code, message);
    return false;
  }

  private void end(Subscription s) {
    s.end();
    hub.events().subscriptions(s.fan().table.name(), -1);
  }

  /** Ends all subscriptions; no frame follows. */
  public void close() {
    hub.assertInLoop();
    if (closed) {
      return;
    }
    closed = true;
    open.values().forEach(this::end);
    open.clear();
    ready.clear();
    replies.clear();
    hub.closed(this);
  }

  // ---- frames

  @Override
  public void subscribe(Flow.Subscriber<? super Frame> to) {
    hub.assertInLoop();
    if (subscriber != null) {
      throw new IllegalStateException("a session has one subscriber");
    }
    subscriber = to;
    to.onSubscribe(
        new Flow.Subscription() {
          @Override
          public void request(long n) {
            hub.inLoop(() -> demand(n));
          }

          @Override
          public void cancel() {
            hub.inLoop(Session.this::close);
          }
        });
  }

  private void demand(long n) {
    if (n <= 0) {
      throw new IllegalArgumentException("demand must be positive (Reactive Streams, 3.9)");
    }
    demand = demand > Long.MAX_VALUE - n ? Long.MAX_VALUE : demand + n;
    pump();
  }

  private void reply(FrameType type, byte[] message) {
    if (!closed) {
      replies.add(new Frame(type, message, EMPTY, null));
      pump();
    }
  }

  /** Sends what is due while it is asked for. */
  private void pump() {
    Flow.Subscriber<? super Frame> to = subscriber;
    if (pumping || to == null) {
      return;
    }
    pumping = true;
    try {
      while (demand > 0 && !closed) {
        Frame frame = nextFrame();
        if (frame == null) {
          return;
        }
        demand--;
        to.onNext(frame);
      }
    } finally {
      pumping = false;
    }
  }

  private @Nullable Frame nextFrame() {
    Frame reply = replies.poll();
    if (reply != null) {
      return reply;
    }
    Subscription s;
    while ((s = ready.poll()) != null) {
      s.queued = false;
      Frame frame = s.next();
      if (frame != null) {
        enqueue(s);
        return frame;
      }
    }
    return null;
  }

  private void enqueue(Subscription s) {
    if (!s.queued && !closed) {
      s.queued = true;
      ready.add(s);
    }
  }

  // ---- for its subscriptions

  /** The subscription may have something to tell. */
  void ready(Subscription s) {
    enqueue(s);
    pump();
  }

  /** The subscription has more to read, and lets others use the loop first. */
  void yield(Subscription s) {
    hub.execute(() -> ready(s));
  }

  /** The subscription may have something to tell after a while. */
  void later(Subscription s, long delayMillis) {
    hub.schedule(() -> ready(s), delayMillis);
  }

  void assertInLoop() {
    hub.assertInLoop();
  }

  FanoutEvents events() {
    return hub.events();
  }

  /** A clock for intervals, in ms. */
  long now() {
    return hub.now();
  }

  long bookmarkMillis() {
    return hub.settings().bookmarkMillis();
  }

  private static String abbreviate(String text) {
    return text.length() <= 80 ? text : text.substring(0, 80) + "…";
  }
}
