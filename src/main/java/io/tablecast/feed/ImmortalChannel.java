package io.tablecast.feed;

import io.smallrye.mutiny.Multi;
import io.smallrye.reactive.messaging.PublisherDecorator;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;

/**
 * Starts the channel again when it has failed. The connector tries polls again by itself, but not
 * the making of its consumer, which fails while no broker's name can be looked up.
 */
@ApplicationScoped
class ImmortalChannel implements PublisherDecorator {
  private static final Logger LOG = Logger.getLogger(ImmortalChannel.class);
  private static final Duration FIRST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofSeconds(2);

  @Override
  public Multi<? extends Message<?>> decorate(
      Multi<? extends Message<?>> publisher, List<String> channels, boolean isConnector) {
    if (!isConnector || !channels.contains(FeedChannel.NAME)) {
      return publisher;
    }
    return publisher
        .onFailure()
        .invoke(e -> LOG.warnf("The channel to Kafka failed and is started again: %s", e))
        .onFailure()
        .retry()
        .withBackOff(FIRST, LONGEST)
        .indefinitely();
  }
}
