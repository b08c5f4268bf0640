package io.tablecast.wire;

import org.jspecify.annotations.Nullable;

/**
 * The messages to clients. Pure functions; each gives a whole JSON object in UTF-8 unless it says
 * otherwise.
 */
public final class ServerMessages {
  private static final byte[] PONG = new ByteWriter(16).ascii("{\"type\":\"pong\"}").toByteArray();

  private ServerMessages() {}

  /** A subscription has started. */
  public static byte[] subscribed(String id, String table, String mode) {
    return start("subscribed", id)
        .ascii(",\"table\":")
        .string(table)
        .ascii(",\"mode\":")
        .string(mode)
        .ascii("}")
        .toByteArray();
  }

  /** A message of this type that carries nothing but a token, if there is one: live, bookmark. */
  public static byte[] positioned(String type, String id, @Nullable String token) {
    ByteWriter out = start(type, id);
    if (token != null) {
      out.ascii(",\"token\":").string(token);
    }
    return out.ascii("}").toByteArray();
  }

  /**
   * Touch with Kafka is lost.
   *
   * @param since ms since the epoch
   */
  public static byte[] stale(String id, long since) {
    return start("stale", id).ascii(",\"since\":").number(since).ascii("}").toByteArray();
  }

  /** A subscription has ended. */
  public static byte[] unsubscribed(String id) {
    return start("unsubscribed", id).ascii("}").toByteArray();
  }

  /** A request was refused; without an id when the request had none that could be read. */
  public static byte[] error(@Nullable String id, ErrorCode code, String message) {
    ByteWriter out = new ByteWriter(128).ascii("{\"type\":\"error\"");
    if (id != null) {
      out.ascii(",\"id\":").string(id);
    }
    return out.ascii(",\"code\":")
        .string(code.code())
        .ascii(",\"message\":")
        .string(message)
        .ascii("}")
        .toByteArray();
  }

  /** The answer to a ping. */
  public static byte[] pong() {
    return PONG;
  }

  /**
   * The first part of a {@code changes} message, up to {@code "changes":}, which the shared part
   * begins with.
   *
   * @param token null when the shared part has one, or there is none
   */
  public static byte[] changesHead(String id, long skipped, @Nullable String token) {
    ByteWriter out = start("changes", id).ascii(",");
    if (skipped > 0) {
      out.ascii("\"skipped\":").number(skipped).ascii(",");
    }
    if (token != null) {
      out.ascii("\"token\":").string(token).ascii(",");
    }
    return out.toByteArray();
  }

  private static ByteWriter start(String type, String id) {
    return new ByteWriter(64 + id.length())
        .ascii("{\"type\":\"")
        .ascii(type)
        .ascii("\",\"id\":")
        .string(id);
  }
}
