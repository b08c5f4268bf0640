package io.tablecast.http;

import io.tablecast.feed.TableInfo;
import io.tablecast.feed.TableInfos;
import io.tablecast.table.Table;
import io.tablecast.table.Tables;
import io.tablecast.table.Version;
import io.tablecast.token.Token;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Singleton;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What {@code GET /tables} says. Any thread. */
@Singleton
class TableList {
  private final Tables tables;
  private final TableInfos infos;

  TableList(Tables tables, TableInfos infos) {
    this.tables = tables;
    this.infos = infos;
  }

  JsonArray all() {
    JsonArray list = new JsonArray();
    tables.all().forEach(t -> list.add(one(t)));
    return list;
  }

  JsonObject one(Table table) {
    TableInfo info = Objects.requireNonNull(infos.find(table.name()));
    Version version = table.version();
    JsonArray warnings = new JsonArray();
    info.warnings()
        .forEach(
            w -> warnings.add(new JsonObject().put("code", w.code()).put("message", w.message())));
    return new JsonObject()
        .put("name", table.name())
        .put("size", version.size())
        .put("partitions", info.partitions())
        .put("ready", info.ready())
        .put("lag", info.lag())
        .put("token", token(version))
        .put("state", info.state().word())
        .put("warnings", warnings);
  }

  private static @Nullable String token(Version version) {
    return version.status().caughtUp() ? Token.encode(version.status().frontier()) : null;
  }
}
