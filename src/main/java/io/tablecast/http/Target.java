package io.tablecast.http;

import org.jspecify.annotations.Nullable;

/**
 * What a request under {@code /tables} is for, from its raw target.
 *
 * @param kind what is asked for
 * @param table as it stands in the target; empty for {@link Kind#TABLES}
 * @param key as it stands in the target, percent-encoded; empty but for {@link Kind#VALUE}
 * @param path the raw path
 * @param query the raw query string, null if there is none
 */
record Target(Kind kind, String table, String key, String path, @Nullable String query) {
  private static final String ROOT = "/tables";
  private static final String ENTRIES = "/entries";

  enum Kind {
    TABLES,
    TABLE,
    VALUE,
    ENTRIES,
    STREAM,
    UNKNOWN
  }

  /** The target of a request; null when it does not lie under {@code /tables}. */
  static @Nullable Target parse(String uri) {
    int question = uri.indexOf('?');
    String path = path(question < 0 ? uri : uri.substring(0, question));
    String query = question < 0 ? null : uri.substring(question + 1);
    if (!path.startsWith(ROOT)
        || !(path.length() == ROOT.length() || path.charAt(ROOT.length()) == '/')) {
      return null;
    }
    String rest = path.substring(ROOT.length());
    return rest.length() <= 1
        ? new Target(Kind.TABLES, "", "", path, query)
        : ofTable(rest.substring(1), path, query);
  }

  private static Target ofTable(String rest, String path, @Nullable String query) {
    int slash = rest.indexOf('/');
    String table = slash < 0 ? rest : rest.substring(0, slash);
    String tail = slash < 0 ? "" : rest.substring(slash);
    if (tail.startsWith(ENTRIES + '/')) {
      String key = tail.substring(ENTRIES.length() + 1);
      return new Target(Kind.VALUE, table, key, path, query);
    }
    Kind kind =
        switch (tail) {
          case "", "/" -> Kind.TABLE;
          case ENTRIES -> Kind.ENTRIES;
          case "/stream" -> Kind.STREAM;
          default -> Kind.UNKNOWN;
        };
    return new Target(kind, table, "", path, query);
  }

  /** The path of a target in absolute form (RFC 9112, section 3.2.2), or the target itself. */
  private static String path(String target) {
    int scheme = target.startsWith("/") ? -1 : target.indexOf("://");
    int slash = scheme < 0 ? -1 : target.indexOf('/', scheme + 3);
    return slash < 0 ? target : target.substring(slash);
  }
}
