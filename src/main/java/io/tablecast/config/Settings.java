package io.tablecast.config;

import io.tablecast.wire.ValueFormat;
import jakarta.inject.Singleton;

/** The checked settings, where the configuration alone is not enough. */
@Singleton
public class Settings {
  private final TablecastConfig config;

  Settings(TablecastConfig config) {
    this.config = config;
  }

  /** How the values of this table are shown. */
  public ValueFormat format(String table) {
    TablecastConfig.TableConfig t = config.tables().get(table);
    return t == null ? ValueFormat.AUTO : t.format();
  }
}
