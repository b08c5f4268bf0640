package io.tablecast.table;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of this process, in the order of the configuration. Immutable; any thread. */
public final class Tables {
  private final Map<String, Table> byName;

  /** Names must differ. */
  public Tables(List<Table> tables) {
    Map<String, Table> map = new LinkedHashMap<>();
    for (Table t : tables) {
      if (map.put(t.name(), t) != null) {
        throw new IllegalArgumentException("two tables named " + t.name());
      }
    }
    byName = map;
  }

  /** The table of this name, or null. */
  public @Nullable Table find(String name) {
    return byName.get(name);
  }

  /** All of them. */
  public Collection<Table> all() {
    return Collections.unmodifiableCollection(byName.values());
  }
}
