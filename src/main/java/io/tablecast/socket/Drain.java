package io.tablecast.socket;

import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.tablecast.config.TablecastConfig;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Empties the house before it is closed. Quarkus says that it is going to stop while its HTTP
 * server still works and waits for us (with {@code quarkus.shutdown.delay-enabled}): in that time
 * readiness is down, new connections are refused, and open ones are closed one after the other.
 */
@Singleton
class Drain {
  private static final Logger LOG = Logger.getLogger(Drain.class);

  /** For closing handshakes that are under way when the time is over. */
  private static final Duration HANDSHAKE = Duration.ofSeconds(2);

  private final Connections connections;
  private final Hubs hubs;
  private final Duration time;

  Drain(Connections connections, Hubs hubs, TablecastConfig config) {
    this.connections = connections;
    this.hubs = hubs;
    time = config.shutdown().drain();
  }

  /**
   * Returns when no connection is left, or the time is over. On the thread that stops the
   * application.
   */
  void run(@Observes ShutdownDelayInitiatedEvent event) {
    connections.stop();
    int open = connections.open();
    if (open > 0) {
      LOG.infof("Stopping: closing %d connections over %s", open, time);
    }
    hubs.drain(time);
    try {
      if (!connections.awaitNone(time.plus(HANDSHAKE))) {
        LOG.warnf("%d connections did not end in time and are cut", connections.open());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warnf("Interrupted: %d connections are cut", connections.open());
    }
  }
}
