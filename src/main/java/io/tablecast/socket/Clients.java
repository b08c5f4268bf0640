package io.tablecast.socket;

import io.quarkus.websockets.next.UserData.TypedKey;
import io.quarkus.websockets.next.WebSocketConnection;
import io.tablecast.config.TablecastConfig;
import io.vertx.core.net.impl.ConnectionBase;
import jakarta.inject.Singleton;
import java.util.Objects;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What both endpoints do with the events of their connections. Each on the connection's event loop.
 */
@Singleton
class Clients {
  private static final Logger LOG = Logger.getLogger(Clients.class);
  private static final TypedKey<SocketClient> CLIENT = new TypedKey<>("tablecast.client");

  private final Hubs hubs;
  private final TablecastConfig config;

  Clients(Hubs hubs, TablecastConfig config) {
    this.hubs = hubs;
    this.config = config;
  }

  SocketClient open(WebSocketConnection socket) {
    ConnectionBase connection =
        Objects.requireNonNull(socket.userData().get(UpgradeGuard.CONNECTION));
    Room room = hubs.room(connection.channel());
    SocketClient client = new SocketClient(socket, connection, room, config.limits());
    socket.userData().put(CLIENT, client);
    client.start();
    return client;
  }

  /** The client of a connection whose opening has succeeded. */
  SocketClient of(WebSocketConnection socket) {
    return Objects.requireNonNull(find(socket));
  }

  void close(WebSocketConnection socket) {
    SocketClient client = find(socket);
    if (client != null) {
      client.closed();
    }
  }

  void error(WebSocketConnection socket, Throwable error) {
    SocketClient client = find(socket);
    if (!socket.isOpen() || client == null) {
      LOG.debugf("%s ended: %s", socket, error);
    } else if (overflow(error)) {
      client.tooLarge();
    } else {
      LOG.errorf(error, "%s failed", socket);
      client.close(CloseCode.INTERNAL, "internal error");
    }
  }

  /** Vert.x has no type of its own for a message that outgrows the limit in fragments. */
  private static boolean overflow(Throwable error) {
    return error instanceof IllegalStateException
        && String.valueOf(error.getMessage()).contains("max message size");
  }

  private static @Nullable SocketClient find(WebSocketConnection socket) {
    return socket.userData().get(CLIENT);
  }
}
