package io.tablecast.http;

import io.tablecast.config.TablecastConfig;
import io.tablecast.socket.BadParameterException;
import io.tablecast.socket.Connections;
import io.tablecast.socket.Hubs;
import io.tablecast.socket.Query;
import io.tablecast.table.Table;
import io.tablecast.token.Token;
import io.tablecast.wire.ClientMessage;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Opens event streams. */
@Singleton
class EventStreams {
  private final Connections connections;
  private final Hubs hubs;
  private final TablecastConfig.LimitsConfig limits;

  EventStreams(Connections connections, Hubs hubs, TablecastConfig config) {
    this.connections = connections;
    this.hubs = hubs;
    limits = config.limits();
  }

  /**
   * Opens a stream of a table's changes. What a client could only read in an error event, which
   * stops no browser from coming back at once, is refused before.
   */
  void open(HttpServerRequest request, Table table, Query query) throws BadParameterException {
    ClientMessage.Subscribe subscribe = subscription(request, table, query);
    if (request.method().equals(HttpMethod.HEAD)) {
      EventStream.headers(request.response()).end();
    } else if (connections.enter(Connections.Kind.STREAM)) {
      ConnectionBase connection = (ConnectionBase) request.connection();
      new EventStream(request, hubs.room(connection.channel()), connections, limits.stalledAfter())
          .start(subscribe);
    } else {
      Problem.unavailable(
          request, "no place for another connection (tablecast.limits.connections), or stopping");
    }
  }

  private ClientMessage.Subscribe subscription(HttpServerRequest request, Table table, Query query)
      throws BadParameterException {
    String last = request.getHeader("Last-Event-ID");
    String resume = last != null ? last : resume(query);
    ClientMessage.Subscribe subscribe = query.subscription(table.name(), resume, last != null);
    if (subscribe.keys().size() + subscribe.prefixes().size() > limits.keysPerSubscription()) {
      throw new BadParameterException(
          "key",
          "more than %d keys and prefixes (tablecast.limits.keys-per-subscription)"
              .formatted(limits.keysPerSubscription()));
    }
    return subscribe;
  }

  private static @Nullable String resume(Query query) throws BadParameterException {
    String token = query.one("resume");
    if (token != null && Token.decode(token).isEmpty()) {
      throw new BadParameterException("resume", "not a token");
    }
    return token;
  }
}
