package io.tablecast.http;

import io.tablecast.config.Settings;
import io.tablecast.socket.BadParameterException;
import io.tablecast.socket.Percent;
import io.tablecast.socket.Query;
import io.tablecast.table.RecordView;
import io.tablecast.table.Table;
import io.tablecast.table.Tables;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Everything under {@code /tables}. */
@Singleton
class TablesApi {
  private static final Logger LOG = Logger.getLogger(TablesApi.class);
  private static final int DEFAULT_LIMIT = 1_000;
  private static final int MAX_LIMIT = 10_000;

  private final Tables tables;
  private final TableList list;
  private final Settings settings;
  private final EventStreams streams;

  TablesApi(Tables tables, TableList list, Settings settings, EventStreams streams) {
    this.tables = tables;
    this.list = list;
    this.settings = settings;
    this.streams = streams;
  }

  void routes(@Observes Router router) {
    // One route that looks at every request: a router matches the normalized path, and a key may
    // look like anything.
    router.route().handler(this::route);
    router.route("/ws").order(Integer.MAX_VALUE).handler(TablesApi::notUpgraded);
    router.route("/ws/:table").order(Integer.MAX_VALUE).handler(TablesApi::notUpgraded);
  }

  private static void notUpgraded(RoutingContext context) {
    Problem.upgradeRequired(context.request());
  }

  private void route(RoutingContext context) {
    Target target = Target.parse(context.request().uri());
    if (target == null) {
      context.next();
      return;
    }
    try {
      serve(context, target);
    } catch (BadParameterException e) {
      Problem.badRequest(context.request(), String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.errorf(e, "%s %s failed", context.request().method(), context.request().uri());
      Problem.internal(context.request());
    }
  }

  private void serve(RoutingContext context, Target target) throws BadParameterException {
    HttpServerRequest request = context.request();
    if (target.kind() == Target.Kind.UNKNOWN) {
      Problem.notFound(request, "nothing is served here");
    } else if (!readOnly(request)) {
      Problem.wrongMethod(request);
    } else if (target.kind() == Target.Kind.TABLES) {
      json(request, list.all().toBuffer());
    } else {
      serveTable(context, target);
    }
  }

  private void serveTable(RoutingContext context, Target target) throws BadParameterException {
    HttpServerRequest request = context.request();
    String name = name(target);
    Table table = tables.find(name);
    if (table == null) {
      Problem.unknownTable(request, name);
      return;
    }
    switch (target.kind()) {
      case TABLE -> json(request, list.one(table).toBuffer());
      case STREAM -> streams.open(request, table, Query.parse(target.query()));
      case VALUE, ENTRIES -> {
        if (!table.version().status().caughtUp()) {
          Problem.unavailable(request, "table " + name + " is still catching up with its topic");
        } else if (target.kind() == Target.Kind.VALUE) {
          value(request, table, target);
        } else {
          entries(context, table, Query.parse(target.query()));
        }
      }
      default -> throw new IllegalStateException(target.toString());
    }
  }

  private void value(HttpServerRequest request, Table table, Target target)
      throws BadParameterException {
    byte[] key = key(target);
    RecordView view = new RecordView();
    if (Lookup.newest(table, key, view)) {
      ValueResponse.send(
          request,
          table.version().status().frontier().topicId(),
          view,
          settings.format(table.name()));
    } else {
      Problem.notFound(request, "the table has no such key");
    }
  }

  private static byte[] key(Target target) throws BadParameterException {
    String encoding = Query.parse(target.query()).one("keyEncoding");
    if (encoding != null && !encoding.equals("base64")) {
      throw new BadParameterException("keyEncoding", "'" + encoding + "' is not base64");
    }
    byte[] key = decode(target.key(), "key");
    if (encoding == null) {
      return key;
    }
    try {
      return Base64.getUrlDecoder().decode(key);
    } catch (IllegalArgumentException e) {
      throw new BadParameterException("key", "not base64url, which keyEncoding=base64 asks for");
    }
  }

  private static String name(Target target) throws BadParameterException {
    return new String(decode(target.table(), "table"), StandardCharsets.UTF_8);
  }

  private static byte[] decode(String text, String parameter) throws BadParameterException {
    try {
      return Percent.decodePath(text);
    } catch (IllegalArgumentException e) {
      throw new BadParameterException(parameter, String.valueOf(e.getMessage()));
    }
  }

  private void entries(RoutingContext context, Table table, Query query)
      throws BadParameterException {
    String prefix = query.one("prefix");
    byte[] bytes = prefix == null ? new byte[0] : prefix.getBytes(StandardCharsets.UTF_8);
    HttpServerRequest request = context.request();
    request.response().putHeader("Vary", "Accept");
    if (wantsLines(request)) {
      lines(context, new Lines(table, bytes, settings.format(table.name())));
    } else {
      int limit = (int) query.integer("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
      page(context, table, new Page.Request(bytes, after(query.one("after")), limit));
    }
  }

  private static byte @Nullable [] after(@Nullable String next) throws BadParameterException {
    if (next == null) {
      return null;
    }
    return Page.decode(next)
        .orElseThrow(
            () -> new BadParameterException("after", "not the 'next' of an earlier answer"));
  }

  private void page(RoutingContext context, Table table, Page.Request asked) {
    context
        .vertx()
        .executeBlocking(() -> Page.read(table, asked, settings.format(table.name())), false)
        .onSuccess(page -> json(context.request(), page.toJson()))
        .onFailure(
            e -> {
              LOG.errorf(e, "a page of %s failed", table.name());
              Problem.internal(context.request());
            });
  }

  private static void lines(RoutingContext context, Lines lines) {
    HttpServerResponse response = context.response();
    if (context.request().method().equals(HttpMethod.HEAD)) {
      response.putHeader("Content-Type", "application/x-ndjson").end();
    } else {
      new LineStream(lines, response, Objects.requireNonNull(Vertx.currentContext())).start();
    }
  }

  private static boolean wantsLines(HttpServerRequest request) {
    return request.headers().getAll("Accept").stream()
        .anyMatch(accept -> accept.contains("application/x-ndjson"));
  }

  private static boolean readOnly(HttpServerRequest request) {
    return request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
  }

  private static void json(HttpServerRequest request, Buffer body) {
    HttpServerResponse response =
        request
            .response()
            .putHeader("Content-Type", "application/json")
            .putHeader("Cache-Control", "no-cache");
    if (request.method().equals(HttpMethod.HEAD)) {
      response.putHeader("Content-Length", String.valueOf(body.length())).end();
    } else {
      response.end(body);
    }
  }
}
