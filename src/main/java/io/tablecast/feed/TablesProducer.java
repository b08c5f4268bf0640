package io.tablecast.feed;

import io.tablecast.config.Settings;
import io.tablecast.table.Table;
import io.tablecast.table.TableSettings;
import io.tablecast.table.Tables;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Makes the tables that the configuration names. */
class TablesProducer {
  @Produces
  @Singleton
  Tables tables(Settings settings) {
    return new Tables(
        settings.config().topics().stream()
            .map(name -> new Table(name, TableSettings.DEFAULT, System::currentTimeMillis))
            .toList());
  }
}
