package io.tablecast.health;

import io.tablecast.socket.Connections;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Down from the moment on at which the service is told to stop: no connection should be sent here
 * any more.
 */
@Readiness
@Singleton
public class StoppingReadiness implements HealthCheck {
  private final Connections connections;

  StoppingReadiness(Connections connections) {
    this.connections = connections;
  }

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("admits-connections").status(!connections.stopping()).build();
  }
}
