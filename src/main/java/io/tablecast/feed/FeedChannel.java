package io.tablecast.feed;

import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.jspecify.annotations.Nullable;

/** Where the batches come in. */
@ApplicationScoped
class FeedChannel {
  /** The channel's name. */
  static final String NAME = "feed";

  private final Feed feed;

  FeedChannel(Feed feed) {
    this.feed = feed;
  }

  void start(@Observes StartupEvent event) {
    feed.start();
  }

  /**
   * A poll is to be taken from the {@link PollLog}, for which the batch stands; called on an event
   * loop, so it must not block. The next comes when few are left to apply.
   */
  @Incoming(NAME)
  Uni<@Nullable Void> batch(ConsumerRecords<byte[], byte[]> standIn) {
    return Uni.createFrom().completionStage(feed::catchUp);
  }
}
