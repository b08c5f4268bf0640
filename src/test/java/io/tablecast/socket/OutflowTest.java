package io.tablecast.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tablecast.fanout.Frame;
import io.tablecast.fanout.FrameType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutflowTest {
  private static final Frame FRAME = new Frame(FrameType.PONG, new byte[0], new byte[0], null);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final List<Flow.Subscriber<? super Frame>> subscribers = new ArrayList<>();
  private final Queue<Consumer<@Nullable Throwable>> sends = new ArrayDeque<>();
  private final List<Throwable> failures = new ArrayList<>();
  private long requested;
  private int cancelled;
  private int ended;
  private final Outflow outflow =
      new Outflow(
          this::subscribe, () -> ended++, (frame, taken) -> sends.add(taken), failures::add);

  @BeforeEach
  void start() {
    outflow.start();
  }

  @Test
  void asksForOneFrameAtATimeAndForTheNextWhenItIsTaken() {
    assertEquals(1, requested);
    give();
    assertEquals(1, requested);
    assertEquals(1, sends.size());
    sends.remove().accept(null);
    assertEquals(2, requested);
  }

  @Test
  void isStalledOnceAFrameIsNotTakenForTooLong() {
    assertFalse(outflow.stalled(System.nanoTime() + 2 * SECOND, SECOND));
    give();
    assertFalse(outflow.stalled(System.nanoTime(), SECOND));
    assertTrue(outflow.stalled(System.nanoTime() + 2 * SECOND, SECOND));
    sends.remove().accept(null);
    assertFalse(outflow.stalled(System.nanoTime() + 2 * SECOND, SECOND));
  }

  @Test
  void endsTheSessionOnce() {
    give();
    outflow.stop();
    outflow.stop();
    assertEquals(1, ended);
    assertEquals(1, cancelled);
  }

  @Test
  void tellsOfAFailedSend() {
    give();
    sends.remove().accept(new IllegalStateException("closed"));
    assertEquals(1, failures.size());
    assertTrue(outflow.idle());
  }

  @Test
  void asksForNoMoreAfterAFailedSend() {
    give();
    sends.remove().accept(new IllegalStateException("closed"));
    assertEquals(1, requested);
    assertEquals(1, cancelled);
  }

  private void give() {
    subscribers.get(0).onNext(FRAME);
  }

  private void subscribe(Flow.Subscriber<? super Frame> subscriber) {
    subscribers.add(subscriber);
    subscriber.onSubscribe(
        new Flow.Subscription() {
          @Override
          public void request(long n) {
            requested += n;
          }

          @Override
          public void cancel() {
            cancelled++;
          }
        });
  }
}
