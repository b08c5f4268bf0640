package io.tablecast.wire;

import io.tablecast.table.RecordView;

/** Renders keys, values and changes as JSON. Pure functions. */
public final class EntryRenderer {
  private EntryRenderer() {}

  /**
   * The object {@code {"key":…,"value":…}} (with keyEncoding and encoding where needed) on one
   * line: line breaks between the tokens of a JSON value become spaces.
   */
  public static byte[] entry(RecordView put, ValueFormat format) {
    ByteWriter out = new ByteWriter(put.keyLength() + put.valueLength() + 64);
    out.ascii("{\"key\":");
    key(out, put);
    out.ascii(",\"value\":");
    int from = out.size();
    value(out, put, format);
    out.joinLines(from);
    return out.ascii("}").toByteArray();
  }

  /** Writes one element of a {@code changes} list. */
  public static void change(ByteWriter out, RecordView change, ValueFormat format, boolean meta) {
    out.ascii(change.deletion() ? "{\"op\":\"delete\",\"key\":" : "{\"op\":\"put\",\"key\":");
    key(out, change);
    if (!change.deletion()) {
      out.ascii(",\"value\":");
      value(out, change, format);
    }
    if (meta) {
      out.ascii(",\"partition\":").number(change.partition());
      if (!change.expired()) {
        out.ascii(",\"offset\":").number(change.offset());
        out.ascii(",\"timestamp\":").number(change.timestamp());
      }
    }
    out.ascii("}");
  }

  private static void key(ByteWriter out, RecordView r) {
    if (Utf8.isUtf8(r.array(), r.keyOffset(), r.keyLength())) {
      out.string(r.array(), r.keyOffset(), r.keyLength());
    } else {
      out.base64(r.array(), r.keyOffset(), r.keyLength()).ascii(",\"keyEncoding\":\"base64\"");
    }
  }

  private static void value(ByteWriter out, RecordView r, ValueFormat format) {
    byte[] array = r.array();
    int offset = r.valueOffset();
    int length = r.valueLength();
    switch (format.kind(array, offset, length)) {
      case JSON -> {
        int from = JsonText.trimStart(array, offset, offset + length);
        out.raw(array, from, JsonText.trimEnd(array, from, offset + length) - from);
      }
      case TEXT -> out.string(array, offset, length).ascii(",\"encoding\":\"text\"");
      case BINARY -> out.base64(array, offset, length).ascii(",\"encoding\":\"base64\"");
    }
  }
}
