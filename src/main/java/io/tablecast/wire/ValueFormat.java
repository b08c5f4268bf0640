package io.tablecast.wire;

/** How a table's values are shown: the setting {@code tablecast.tables."name".format}. */
public enum ValueFormat {
  /** JSON if it is JSON, else text if it is UTF-8, else base64. */
  AUTO,
  /** Values should be JSON; those that are not are shown as with AUTO. */
  JSON,
  /** Text if it is UTF-8, else base64. */
  TEXT,
  /** Always base64. */
  BASE64;

  /** What these bytes are shown as. */
  public ValueKind kind(byte[] array, int offset, int length) {
    if (this == BASE64) {
      return ValueKind.BINARY;
    }
    if (this != TEXT && JsonText.isJson(array, offset, length)) {
      return ValueKind.JSON;
    }
    return Utf8.isUtf8(array, offset, length) ? ValueKind.TEXT : ValueKind.BINARY;
  }

  /** Whether these bytes are what the format says they should be. */
  public boolean fits(byte[] array, int offset, int length) {
    return switch (this) {
      case JSON -> JsonText.isJson(array, offset, length);
      case TEXT -> Utf8.isUtf8(array, offset, length);
      case AUTO, BASE64 -> true;
    };
  }
}
