package io.tablecast.socket;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.tablecast.fanout.HubLoop;
import java.util.concurrent.TimeUnit;

/** A Netty event loop as a hub sees it. */
final class NettyLoop implements HubLoop {
  private final EventLoop loop;

  NettyLoop(EventLoop loop) {
    this.loop = loop;
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  @Override
  public boolean inLoop() {
    return loop.inEventLoop();
  }

  @Override
  public Runnable schedule(Runnable task, long delayMillis) {
    ScheduledFuture<?> scheduled = loop.schedule(task, delayMillis, TimeUnit.MILLISECONDS);
    return () -> scheduled.cancel(false);
  }

  @Override
  public long now() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }
}
