package io.tablecast.table;

/**
 * How a table keeps its log.
 *
 * @param segmentBytes size of a full segment, at least 1 KiB and at most 1 MiB; a larger record
 *     gets a segment of its own
 * @param dirtyRatio share of dead bytes above which a segment is cleaned, between 0 and 1
 */
public record TableSettings(int segmentBytes, double dirtyRatio) {
  /** What production uses. */
  public static final TableSettings DEFAULT = new TableSettings((1 << 20) - 64, 0.3);

  /**
   * @throws IllegalArgumentException if one is out of bounds
   */
  public TableSettings {
    if (segmentBytes < 1 << 10 || segmentBytes > 1 << 20) {
      throw new IllegalArgumentException(
          "segmentBytes must be between 1024 and 1048576, not " + segmentBytes);
    }
    if (!(dirtyRatio >= 0 && dirtyRatio <= 1)) {
      throw new IllegalArgumentException("dirtyRatio must be between 0 and 1, not " + dirtyRatio);
    }
  }
}
