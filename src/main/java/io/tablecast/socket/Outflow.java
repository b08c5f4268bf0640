package io.tablecast.socket;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.tablecast.fanout.Frame;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Takes a session's frames and sends them one after the other: at most one is in flight, and the next is asked for when the
 * transport has taken it. Confined to the session's loop.
 */
public final class Outflow {
  private static final Cancellable NOTHING = () -> {};

  private final Flow.Publisher<Frame> frames;
  private final Runnable end;
  private final Function<Frame, Uni<Void>> sender;
  private final Consumer<Throwable> failed;
  private Cancellable running = NOTHING;
  private boolean stopped;
  private boolean busy;
  private long busySince;

  /**
   * @param frames a session
   * @param end closes the session
   * @param sender completes when the transport has taken the frame
   * @param failed is told when frames can no longer be made or sent
   */
  public Outflow(
      Flow.Publisher<Frame> frames,
      Runnable end,
      Function<Frame, Uni<Void>> sender,
      Consumer<Throwable> failed) {
    this.frames = frames;
    this.end = end;
    this.sender = sender;
    this.failed = failed;
  }

  /** Begins. Once. */
  public void start() {
    Cancellable started =
        Multi.createFrom()
            .publisher(frames)
            .onItem()
            .transformToUniAndConcatenate(this::send)
            .subscribe()
            .with(nothing -> {}, failed);
    if (stopped) {
      started.cancel();
    } else {
      running = started;
    }
  }

  private Uni<Void> send(Frame frame) {
    busy = true;
    busySince = System.nanoTime();
    return sender.apply(frame).onTermination().invoke(() -> busy = false);
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
      running.cancel();
      end.run();
    }
  }
}
