package io.tablecast.socket;

import io.tablecast.fanout.Frame;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes a session's frames and sends them one after the other: at most one is in flight, and the
 * next is asked for when the transport has taken it. Confined to the session's loop.
 *
 * <p>This is a subscriber by hand, since it runs for each frame and client: Mutiny's operators,
 * which capture the caller's contexts each time, took more than a quarter of what is not the
 * kernel's.
 */
public final class Outflow {
  /** The way to the transport. */
  @FunctionalInterface
  public interface Sender {
    /**
     * Sends a frame.
     *
     * @param taken to be told once, on the loop, when the transport has taken the frame (null) or
     *     failed
     */
    void send(Frame frame, Consumer<@Nullable Throwable> taken);
  }

  private final Flow.Publisher<Frame> frames;
  private final Runnable end;
  private final Sender sender;
  private final Consumer<Throwable> failed;
  private final Consumer<@Nullable Throwable> taken = this::taken;
  private Flow.@Nullable Subscription session;
  private boolean stopped;
  private boolean busy;
  private long busySince;

  /**
   * @param frames a session
   * @param end closes the session
   * @param failed is told when frames can no longer be made or sent
   */
  public Outflow(
      Flow.Publisher<Frame> frames, Runnable end, Sender sender, Consumer<Throwable> failed) {
    this.frames = frames;
    this.end = end;
    this.sender = sender;
    this.failed = failed;
  }

  /** Begins. Once. */
  public void start() {
    frames.subscribe(new Taker());
  }

  private void taken(@Nullable Throwable failure) {
    busy = false;
    if (failure != null) {
      broken(failure);
    } else {
      next();
    }
  }

  private void next() {
    Flow.Subscription s = session;
    if (s != null && !stopped) {
      try {
        s.request(1);
      } catch (RuntimeException e) {
        broken(e);
      }
    }
  }

  /** No frame follows: one that was lost must not be followed by the next. */
  private void broken(Throwable failure) {
    if (!stopped) {
      cancel();
      failed.accept(failure);
    }
  }

  private void cancel() {
    Flow.Subscription s = session;
    session = null;
    if (s != null) {
      s.cancel();
    }
  }

  /** Whether a frame has been in flight for longer than this. */
  public boolean stalled(long nanoTime, long limitNanos) {
    return busy && nanoTime - busySince > limitNanos;
  }

  /** Whether no frame is in flight. */
  public boolean idle() {
    return !busy;
  }

  /** Ends the session; no frame follows. Further calls do nothing. */
  public void stop() {
    if (!stopped) {
      stopped = true;
      cancel();
      end.run();
    }
  }

  private final class Taker implements Flow.Subscriber<Frame> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      session = subscription;
      next();
    }

    @Override
    public void onNext(Frame frame) {
      busy = true;
      busySince = System.nanoTime();
      try {
        sender.send(frame, taken);
      } catch (RuntimeException e) {
        taken(e);
      }
    }

    @Override
    public void onError(Throwable failure) {
      broken(failure);
    }

    @Override
    public void onComplete() {
      // A session ends when it is told to.
    }
  }
}
