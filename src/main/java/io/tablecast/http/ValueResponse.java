package io.tablecast.http;

import io.tablecast.table.RecordView;
import io.tablecast.table.TopicId;
import io.tablecast.wire.ValueFormat;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Answers with a single value, as it was produced. */
final class ValueResponse {
  // RFC 9110 wants two digits for the day, which RFC_1123_DATE_TIME does not give.
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  /** The last moment of the year 9999: HTTP has no way to write a later one. */
  private static final long LAST_DATE = 253_402_300_799_999L;

  private ValueResponse() {}

  static void send(HttpServerRequest request, TopicId topic, RecordView put, ValueFormat format) {
    HttpServerResponse response = request.response();
    String tag = EntityTag.of(topic, put);
    response.putHeader("ETag", tag).putHeader("Cache-Control", "no-cache");
    if (put.timestamp() >= 0 && put.timestamp() <= LAST_DATE) {
      response.putHeader("Last-Modified", HTTP_DATE.format(Instant.ofEpochMilli(put.timestamp())));
    }
    String condition = String.join(",", request.headers().getAll("If-None-Match"));
    if (!condition.isEmpty() && EntityTag.noneMatchNames(condition, tag)) {
      response.setStatusCode(304).end();
      return;
    }
    // Values are anybody's bytes: a browser must not guess that they are a page.
    response
        .putHeader("Content-Type", mediaType(put, format))
        .putHeader("X-Content-Type-Options", "nosniff");
    if (request.method().equals(HttpMethod.HEAD)) {
      response.putHeader("Content-Length", String.valueOf(put.valueLength())).end();
    } else {
      response.end(
          Buffer.buffer(put.valueLength())
              .appendBytes(put.array(), put.valueOffset(), put.valueLength()));
    }
  }

  private static String mediaType(RecordView put, ValueFormat format) {
    return switch (format.kind(put.array(), put.valueOffset(), put.valueLength())) {
      case JSON -> "application/json";
      case TEXT -> "text/plain;charset=UTF-8";
      case BINARY -> "application/octet-stream";
    };
  }
}
