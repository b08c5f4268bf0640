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
    throw new UnsupportedOperationException();
  }
}
