package io.tablecast.health;

import io.tablecast.config.Settings;
import io.tablecast.feed.TableInfo;
import io.tablecast.feed.TableInfos;
import io.tablecast.feed.TableState;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Up when every table has caught up; from then on for good, unless {@code
 * tablecast.readiness.latched} is false.
 */
@Readiness
@Singleton
public class TablesReadiness implements HealthCheck {
  private final TableInfos infos;
  private final boolean latched;

  TablesReadiness(TableInfos infos, Settings settings) {
    this.infos = infos;
    this.latched = settings.config().readiness().latched();
  }

  @Override
  public HealthCheckResponse call() {
    List<TableInfo> all = infos.all();
    HealthCheckResponseBuilder response = HealthCheckResponse.named("tables");
    all.forEach(t -> describe(t, response));
    return response.status(latched ? infos.haveBeenReady() : readyNow(all)).build();
  }

  private static boolean readyNow(List<TableInfo> all) {
    return all.stream().allMatch(t -> t.ready() && t.staleSince() == 0);
  }

  private static void describe(TableInfo t, HealthCheckResponseBuilder response) {
    response.withData(t.name(), t.state().word());
    if (t.state() instanceof TableState.Waiting w) {
      response.withData(t.name() + ".waits-for", w.reason());
    } else if (t.state() instanceof TableState.Replaying r) {
      progress(t.name(), r.progress(), response);
    } else {
      response.withData(t.name() + ".lag", t.lag());
    }
    if (t.staleSince() != 0) {
      response.withData(t.name() + ".stale-since", Instant.ofEpochMilli(t.staleSince()).toString());
    }
    if (!t.warnings().isEmpty()) {
      response.withData(
          t.name() + ".warnings",
          t.warnings().stream().map(TableInfo.Warning::message).collect(Collectors.joining(" ")));
    }
  }

  private static void progress(
      String table, List<TableState.Progress> progress, HealthCheckResponseBuilder response) {
    long remaining = 0;
    for (TableState.Progress p : progress) {
      String name = table + ".partition-" + p.partition();
      if (p.end() < 0) {
        response.withData(name, "no leader that answers; read to offset " + p.position());
      } else if (!p.done()) {
        response.withData(name, "at offset " + p.position() + " of " + p.end());
        remaining += p.remaining();
      }
    }
    response.withData(table + ".remaining", remaining);
  }
}
