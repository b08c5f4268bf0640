package io.tablecast.socket;

import io.quarkus.websockets.next.OnBinaryMessage;
import io.quarkus.websockets.next.OnClose;
import io.quarkus.websockets.next.OnError;
import io.quarkus.websockets.next.OnPingMessage;
import io.quarkus.websockets.next.OnPongMessage;
import io.quarkus.websockets.next.OnTextMessage;
import io.quarkus.websockets.next.WebSocketConnection;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.core.buffer.Buffer;

/**
 * The callbacks that both endpoints inherit. Only how a connection opens differs: a class may have
 * one callback of a kind, those of its superclasses included, so that {@code @OnOpen} is theirs.
 */
abstract class Endpoint {
  final Clients clients;

  Endpoint(Clients clients) {
    this.clients = clients;
  }

  @OnTextMessage
  @NonBlocking
  void text(String message, WebSocketConnection socket) {
    clients.of(socket).text(message);
  }

  @OnBinaryMessage
  @NonBlocking
  void binary(Buffer message, WebSocketConnection socket) {
    clients.of(socket).binary();
  }

  @OnPingMessage
  @NonBlocking
  void ping(Buffer payload, WebSocketConnection socket) {
    clients.of(socket).ping();
  }

  @OnPongMessage
  @NonBlocking
  void pong(Buffer payload, WebSocketConnection socket) {
    clients.of(socket).pong();
  }

  @OnClose
  @NonBlocking
  void close(WebSocketConnection socket) {
    clients.close(socket);
  }

  @OnError
  @NonBlocking
  void error(Throwable error, WebSocketConnection socket) {
    clients.error(socket, error);
  }
}
