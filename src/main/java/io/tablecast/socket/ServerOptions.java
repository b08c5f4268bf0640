package io.tablecast.socket;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.tablecast.config.TablecastConfig;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;

/**
 * Gives the HTTP server the limit on client messages, so that larger ones are never held in memory.
 */
@Singleton
public class ServerOptions implements HttpServerOptionsCustomizer {
  private final int messageBytes;

  ServerOptions(TablecastConfig config) {
    messageBytes = config.limits().messageBytes();
  }

  @Override
  public void customizeHttpServer(HttpServerOptions options) {
    customize(options);
  }

  @Override
  public void customizeHttpsServer(HttpServerOptions options) {
    customize(options);
  }

  private void customize(HttpServerOptions options) {
    options.setMaxWebSocketFrameSize(messageBytes).setMaxWebSocketMessageSize(messageBytes);
  }
}
