package io.tablecast.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tablecast.testkit.Message;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Serves the page on the loopback address, and takes its reports. */
final class Site implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 180;

  private final BlockingQueue<JsonNode> reports = new LinkedBlockingQueue<>();
  private final HttpServer server;

  Site() throws IOException {
    byte[] page;
    try (InputStream in = Site.class.getResourceAsStream("page.html")) {
      page = Objects.requireNonNull(in, "no page.html").readAllBytes();
    }
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/page", exchange -> answer(exchange, 200, page));
    server.createContext("/report", this::report);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** The next report, waited for; null when none comes. */
  @Nullable JsonNode next() throws InterruptedException {
    return reports.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private void report(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    reports.add(Message.parse(new String(body, StandardCharsets.UTF_8)).json());
    answer(exchange, 200, new byte[] {'.'});
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
