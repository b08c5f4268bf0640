package io.tablecast.table;

/** Finding one's way in an array of segments, which is ordered by sequence number. Any thread. */
final class Segments {
  static final Segment[] NONE = {};

  private Segments() {}

  /** Index of the only segment that may hold a sequence number; -1 if it lies before them all. */
  static int indexOf(Segment[] segments, long sequence) {
    int low = 0;
    int high = segments.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (segments[middle].firstSequence <= sequence) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /**
   * Shows the record with a sequence number, dead or alive.
   *
   * @return false if it is not there; the view then shows any record
   */
  static boolean locate(Segment[] segments, long sequence, RecordView into) {
    int index = indexOf(segments, sequence);
    return index >= 0 && segments[index].locate(sequence, into);
  }
}
