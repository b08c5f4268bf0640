package io.tablecast.wire;

/** What a value is shown as. */
public enum ValueKind {
  /** As it is; media type application/json. */
  JSON,
  /** A string with {@code "encoding":"text"}; media type text/plain in UTF-8. */
  TEXT,
  /** A string with {@code "encoding":"base64"}; media type application/octet-stream. */
  BINARY
}
