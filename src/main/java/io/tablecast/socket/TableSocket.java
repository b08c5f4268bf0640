package io.tablecast.socket;

import io.quarkus.websockets.next.OnOpen;
import io.quarkus.websockets.next.WebSocket;
import io.quarkus.websockets.next.WebSocketConnection;
import io.smallrye.common.annotation.NonBlocking;

/** {@code /ws/{table}}: one subscription opened by connecting; further ones by messages. */
@WebSocket(path = "/ws/{table}")
class TableSocket extends Endpoint {
  TableSocket(Clients clients) {
    super(clients);
  }

  @OnOpen
  @NonBlocking
  void open(WebSocketConnection socket) {
    clients.open(socket).subscribe(socket.pathParam("table"), socket.handshakeRequest().query());
  }
}
