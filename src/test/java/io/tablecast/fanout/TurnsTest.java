package io.tablecast.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tablecast.table.Tables;
import io.tablecast.table.TopicId;
import io.tablecast.wire.ClientMessage;
import io.tablecast.wire.ValueFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What happens between two versions of a table, or while a hub is telling others. */
class TurnsTest {
  private final LogModel log = new LogModel(1);
  private final Replica replica = new Replica(log, new TopicId(1, 2), 65_536, 60_000);
  private final Told told = new Told();

  @Test
  void isToldThatItIsLiveAgainAlsoWhenTheTableMovesOnBeforeItIsAsked() {
    log.append(0, 1, "mine", "1");
    replica.followAll();
    Session session = replica.hub.open();
    session.subscribe(told);
    session.receive(ModelClient.options(List.of("mine"), List.of(), 0));
    told.request(5);
    replica.staleSince = 77;
    replica.publish();
    replica.loop.drain();
    session.receive(new ClientMessage.Ping()); // takes the last frame that was asked for
    replica.staleSince = 0;
    replica.publish();
    replica.loop.drain();
    log.append(0, 2, "another", "1");
    replica.followAll(); // the hub has yet to see it when the client asks
    told.request(1);
    replica.loop.drain();
    assertEquals(
        List.of(
            FrameType.SUBSCRIBED,
            FrameType.CHANGES,
            FrameType.LIVE,
            FrameType.STALE,
            FrameType.PONG,
            FrameType.LIVE),
        told.types);
  }

  @Test
  void aSubscriptionThatEndsWhileItsFanStartsThoseThatWaitedIsNotStarted() {
    List<String> started = new ArrayList<>();
    Hub hub =
        new Hub(
            replica.loop,
            new Tables(List.of(replica.table)),
            new FanoutSettings(65_536, 60_000, 100, 100, t -> ValueFormat.AUTO),
            new NoEvents() {
              @Override
              public void started(String table, String mode) {
                started.add(table);
              }
            },
            () -> Long.MAX_VALUE);
    Session session = hub.open();
    session.subscribe(told);
    for (String id : List.of("first", "second")) {
      session.receive(
          new ClientMessage.Subscribe(
              id, "t", List.of(id), List.of(), null, false, true, 0, false));
    }
    told.first = session::close;
    told.request(100);
    replica.followAll();
    hub.wake();
    replica.loop.drain();
    assertEquals(List.of(FrameType.SUBSCRIBED), told.types);
    assertEquals(List.of("t"), started, "only the first was started");
  }

  private static final class Told implements Flow.Subscriber<Frame> {
    final List<FrameType> types = new ArrayList<>();
    Runnable first = () -> {};
    private Flow.@Nullable Subscription demand;

    void request(int n) {
      if (demand == null) {
        throw new IllegalStateException("not subscribed");
      }
      demand.request(n);
    }

    @Override
    public void onSubscribe(Flow.Subscription s) {
      demand = s;
    }

    @Override
    public void onNext(Frame frame) {
      types.add(frame.type());
      if (types.size() == 1) {
        first.run();
      }
    }

    @Override
    public void onError(Throwable t) {
      throw new AssertionError(t);
    }

    @Override
    public void onComplete() {
      throw new AssertionError("a session does not complete");
    }
  }
}
