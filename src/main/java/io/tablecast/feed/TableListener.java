package io.tablecast.feed;

import io.tablecast.table.Table;

/** Is told of new versions of tables. Every CDI bean of this type is; it must not throw. */
public interface TableListener {
  /** The table has a newer version. Called on the feed thread; must not block. */
  void published(Table table);
}
