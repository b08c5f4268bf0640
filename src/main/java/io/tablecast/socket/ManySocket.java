package io.tablecast.socket;

import io.quarkus.websockets.next.OnOpen;
import io.quarkus.websockets.next.WebSocket;
import io.quarkus.websockets.next.WebSocketConnection;
import io.smallrye.common.annotation.NonBlocking;

/** {@code /ws}: many subscriptions on one connection, each opened by a message. */
@WebSocket(path = "/ws")
class ManySocket extends Endpoint {
  ManySocket(Clients clients) {
    super(clients);
  }

  @OnOpen
  @NonBlocking
  void open(WebSocketConnection socket) {
    clients.open(socket);
  }
}
