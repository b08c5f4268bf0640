package io.tablecast.feed;

import io.tablecast.table.Tables;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the feed knows of each table, as last published. Any thread. */
@Singleton
public class TableInfos {
  private volatile Map<String, TableInfo> byName;
  private volatile boolean haveBeenReady;

  TableInfos(Tables tables) {
    Map<String, TableInfo> map = new LinkedHashMap<>();
    tables
        .all()
        .forEach(
            t ->
                map.put(
                    t.name(),
                    new TableInfo(t.name(), 0, false, 0, TableState.start(), 0, List.of())));
    byName = map;
  }

  /** The table of this name, or null. */
  public @Nullable TableInfo find(String name) {
    return byName.get(name);
  }

  /** All of them, in the order of the configuration. */
  public List<TableInfo> all() {
    return List.copyOf(byName.values());
  }

  /** Whether all tables have been ready at some time of this process. */
  public boolean haveBeenReady() {
    return haveBeenReady;
  }

  /** Feed thread only: the map that readers hold is never changed. */
  void publish(TableInfo info) {
    Map<String, TableInfo> map = new LinkedHashMap<>(byName);
    map.put(info.name(), info);
    byName = map;
    if (!haveBeenReady && map.values().stream().allMatch(TableInfo::ready)) {
      haveBeenReady = true;
    }
  }
}
