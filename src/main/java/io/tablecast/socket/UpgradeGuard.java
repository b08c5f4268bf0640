package io.tablecast.socket;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.quarkus.websockets.next.HttpUpgradeCheck;
import io.quarkus.websockets.next.UserData.TypedKey;
import io.smallrye.mutiny.Uni;
import io.tablecast.table.Tables;
import io.vertx.core.net.impl.ConnectionBase;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/**
 * Decides on upgrades: an unknown table is 404, no place 503. Foreign origins have been refused
 * before, by Quarkus' CORS filter.
 */
@Singleton
public class UpgradeGuard implements HttpUpgradeCheck {
  static final TypedKey<ConnectionBase> CONNECTION = new TypedKey<>("tablecast.connection");
  private static final AttributeKey<Boolean> COUNTED = AttributeKey.valueOf("tablecast.counted");

  private final Tables tables;
  private final Connections connections;

  UpgradeGuard(Tables tables, Connections connections) {
    this.tables = tables;
    this.connections = connections;
  }

  @Override
  public Uni<CheckResult> perform(HttpUpgradeContext context) {
    String table = context.pathParam("table");
    if (table != null && tables.find(table) == null) {
      return CheckResult.rejectUpgrade(404);
    }
    ConnectionBase connection = (ConnectionBase) context.httpRequest().connection();
    if (!enter(connection.channel())) {
      return CheckResult.rejectUpgrade(
          503, Map.of("Retry-After", List.of(Connections.RETRY_AFTER)));
    }
    context.userData().put(CONNECTION, connection);
    return CheckResult.permitUpgrade();
  }

  /**
   * The place is left when the channel is closed, which happens once however the connection ends. A
   * handshake that fails leaves the channel open for another try, which must not count again.
   */
  private boolean enter(Channel channel) {
    if (channel.hasAttr(COUNTED)) {
      return !connections.stopping();
    }
    if (!connections.enter(Connections.Kind.WEBSOCKET)) {
      return false;
    }
    channel.attr(COUNTED).set(true);
    channel.closeFuture().addListener(f -> connections.leave(Connections.Kind.WEBSOCKET));
    return true;
  }
}
