package io.tablecast.feed;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.reactive.messaging.PublisherDecorator;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Starts the channel once a Kafka client can be made. The making fails while no broker's name can
 * be looked up, and the connector's channel can't be started a second time: its poll of the first
 * time stays in progress for good.
 */
@Singleton
public class ChannelStart implements PublisherDecorator {
  private static final Logger LOG = Logger.getLogger(ChannelStart.class);
  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final TopicWatcher watcher;
  private volatile @Nullable String failure;

  ChannelStart(TopicWatcher watcher) {
    this.watcher = watcher;
  }

  /** Why the feed has ended, which only a new process can cure; null while it has not. */
  public @Nullable String failure() {
    return failure;
  }

  @Override
  public Multi<? extends Message<?>> decorate(
      Multi<? extends Message<?>> publisher, List<String> channels, boolean isConnector) {
    if (!isConnector || !channels.contains(FeedChannel.NAME)) {
      return publisher;
    }
    return Uni.createFrom()
        .completionStage(watcher::admin)
        .onFailure()
        .retry()
        .withBackOff(FIRST, LONGEST)
        .indefinitely()
        .onItem()
        .transformToMulti(admin -> publisher)
        .onFailure()
        .invoke(this::ended);
  }

  /** Nothing will be read any more. Any thread. */
  void ended(Throwable e) {
    LOG.error("The feed has failed for good: nothing is read any more. Restart the process", e);
    failure = e.toString();
  }
}
