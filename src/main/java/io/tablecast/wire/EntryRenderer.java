package io.tablecast.wire;

import io.tablecast.table.RecordView;

/** Renders entries for HTTP. */
public final class EntryRenderer {
  private EntryRenderer() {}

  /**
   * The object {@code {"key":…,"value":…}} (with keyEncoding and encoding where needed) on one line: line breaks between the
   * tokens of a JSON value become spaces.
   */
  public static byte[] entry(RecordView put, ValueFormat format) {
    throw new UnsupportedOperationException();
  }
}
