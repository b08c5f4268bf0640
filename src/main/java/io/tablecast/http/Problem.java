package io.tablecast.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.tablecast.socket.Connections;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;

/** Errors as {@code application/problem+json} (RFC 9457). */
final class Problem {
  private Problem() {}

  static void badRequest(HttpServerRequest request, String detail) {
    send(request, 400, detail);
  }

  static void unknownTable(HttpServerRequest request, String table) {
    send(request, 404, "no table named '" + table + "'; GET /tables lists them");
  }

  static void notFound(HttpServerRequest request, String detail) {
    send(request, 404, detail);
  }

  static void wrongMethod(HttpServerRequest request) {
    request.response().putHeader("Allow", "GET, HEAD");
    send(request, 405, "only GET and HEAD are allowed here");
  }

  static void upgradeRequired(HttpServerRequest request) {
    request.response().putHeader("Upgrade", "websocket").putHeader("Connection", "Upgrade");
    send(request, 426, "this is a WebSocket endpoint");
  }

  /** Not now, for this reason. */
  static void unavailable(HttpServerRequest request, String detail) {
    request.response().putHeader("Retry-After", Connections.RETRY_AFTER);
    send(request, 503, detail);
  }

  static void internal(HttpServerRequest request) {
    send(request, 500, "the service failed to answer; its log says more");
  }

  private static void send(HttpServerRequest request, int status, String detail) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.headWritten()) {
      return;
    }
    var body =
        new JsonObject()
            .put("type", "about:blank")
            .put("title", HttpResponseStatus.valueOf(status).reasonPhrase())
            .put("status", status)
            .put("detail", detail)
            .put("instance", instance(request.uri()))
            .toBuffer();
    response.setStatusCode(status).putHeader("Content-Type", "application/problem+json");
    if (request.method().equals(HttpMethod.HEAD)) {
      response.putHeader("Content-Length", String.valueOf(body.length())).end();
    } else {
      response.end(body);
    }
  }

  private static String instance(String uri) {
    int question = uri.indexOf('?');
    return question < 0 ? uri : uri.substring(0, question);
  }
}
