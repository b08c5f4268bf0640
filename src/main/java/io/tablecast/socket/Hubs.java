package io.tablecast.socket;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.tablecast.config.Settings;
import io.tablecast.config.TablecastConfig;
import io.tablecast.fanout.FanoutSettings;
import io.tablecast.fanout.Hub;
import io.tablecast.feed.TableListener;
import io.tablecast.table.Table;
import io.tablecast.table.Tables;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A hub for each event loop that has connections, made when the first one comes. */
@Singleton
public class Hubs implements TableListener {
  private static final long LONGEST_SWEEP_MILLIS = 1_000;
  private static final long SHORTEST_SWEEP_MILLIS = 20;

  private final Map<EventLoop, Room> rooms = new ConcurrentHashMap<>();
  private final Tables tables;
  private final FanoutSettings settings;
  private final FanoutMetrics metrics;
  private final Connections connections;
  private final long sweepMillis;

  Hubs(
      Tables tables,
      TablecastConfig config,
      Settings checked,
      FanoutMetrics metrics,
      Connections connections) {
    this.tables = tables;
    this.metrics = metrics;
    this.connections = connections;
    TablecastConfig.LimitsConfig limits = config.limits();
    settings =
        new FanoutSettings(
            limits.frameBytes(),
            config.bookmarkInterval().toMillis(),
            limits.subscriptionsPerConnection(),
            limits.keysPerSubscription(),
            checked::format);
    sweepMillis =
        Math.max(
            SHORTEST_SWEEP_MILLIS,
            Math.min(LONGEST_SWEEP_MILLIS, limits.stalledAfter().toMillis() / 8));
  }

  /** The room of this channel's event loop. Any thread. */
  public Room room(Channel channel) {
    return rooms.computeIfAbsent(channel.eventLoop(), this::create);
  }

  private Room create(EventLoop loop) {
    return new Room(
        loop,
        new Hub(new NettyLoop(loop), tables, settings, metrics, System::currentTimeMillis),
        sweepMillis,
        connections::stopping);
  }

  @Override
  public void published(Table table) {
    rooms.values().forEach(room -> room.hub().wake());
  }

  /** Sends all clients away, spread evenly over this time. Any thread. */
  void drain(Duration time) {
    List<Room> all = List.copyOf(rooms.values());
    for (int i = 0; i < all.size(); i++) {
      all.get(i).drain(time.toMillis(), (double) i / all.size());
    }
  }
}
