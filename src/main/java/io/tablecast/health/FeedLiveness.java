package io.tablecast.health;

import io.tablecast.feed.ChannelStart;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.jspecify.annotations.Nullable;

/**
 * Up, whether there is contact to Kafka or not; down only when nothing but a new process can help.
 */
@Liveness
@Singleton
public class FeedLiveness implements HealthCheck {
  private final ChannelStart channel;

  FeedLiveness(ChannelStart channel) {
    this.channel = channel;
  }

  @Override
  public HealthCheckResponse call() {
    @Nullable String failure = channel.failure();
    return failure == null
        ? HealthCheckResponse.up("feed")
        : HealthCheckResponse.named("feed").down().withData("failure", failure).build();
  }
}
