package io.tablecast.fanout;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The batches that other subscriptions at the same position may want too; the least recently used
 * go first. Hub thread.
 */
final class BatchCache {
  /**
   * What a batch depends on beside the filter.
   *
   * @param from the position before it
   * @param snapshot whether deletions are left out, since the client holds nothing
   */
  record Place(long from, boolean snapshot, boolean meta) {}

  private final long capacity;
  private final Map<Place, Batch> batches = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /**
   * @param capacity in bytes of bodies
   */
  BatchCache(long capacity) {
    this.capacity = capacity;
  }

  @Nullable Batch get(Place place) {
    return batches.get(place);
  }

  void put(Place place, Batch batch) {
    Batch old = batches.put(place, batch);
    bytes += batch.body().length - (old == null ? 0 : old.body().length);
    Iterator<Batch> eldest = batches.values().iterator();
    while (bytes > capacity && eldest.hasNext()) {
      bytes -= eldest.next().body().length;
      eldest.remove();
    }
  }

  void clear() {
    batches.clear();
    bytes = 0;
  }
}
