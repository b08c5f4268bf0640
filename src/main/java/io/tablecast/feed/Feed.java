package io.tablecast.feed;

import io.tablecast.config.Settings;
import io.tablecast.config.TablecastConfig;
import io.tablecast.table.Table;
import io.tablecast.table.Tables;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The feed thread: all that happens to tables happens here, one thing after the other. */
@Singleton
class Feed {
  private static final Logger LOG = Logger.getLogger(Feed.class);
  private static final long TICK_MILLIS = 100;

  /** How soon to look again while a topic can't be read. */
  private static final long IMPATIENT_MILLIS = 500;

  /** Polls that may be left when the connector is let go on. */
  private static final int FEW = 4;

  /** Polls that are applied before readers are shown. */
  private static final int MOST_AT_ONCE = 8;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread t = new Thread(task, "tablecast-feed");
            t.setDaemon(true);
            return t;
          });
  private final LongSupplier clock = System::currentTimeMillis;
  private final Map<String, Following> topics = new LinkedHashMap<>();
  private final PollLog polls;
  private final TopicWatcher watcher;
  private final Assigner assigner;
  private final TableInfos infos;
  private final ChannelStart channel;
  private final List<TableListener> listeners;
  private final long checkInterval;

  /** What the connector waits for. */
  private final AtomicReference<@Nullable CompletableFuture<@Nullable Void>> waiting =
      new AtomicReference<>();

  /** A topic, and when it is to be looked at again. */
  private static final class Following {
    final TopicFollower follower;
    long checkAt;
    boolean checking;
    int generation;
    @Nullable TableInfo info;

    Following(TopicFollower follower) {
      this.follower = follower;
    }
  }

  Feed(
      Settings settings,
      Tables tables,
      TableInfos infos,
      PollLog polls,
      TopicWatcher watcher,
      ChannelStart channel,
      PollPause pause,
      Assigner assigner,
      FeedEvents events,
      @Any Instance<TableListener> listeners) {
    TablecastConfig config = settings.config();
    this.polls = polls;
    this.watcher = watcher;
    this.channel = channel;
    this.assigner = assigner;
    this.infos = infos;
    this.listeners = listeners.stream().toList();
    long staleAfter = config.staleAfter().toMillis();
    this.checkInterval =
        Math.max(1, Math.min(config.topicCheckInterval().toMillis(), staleAfter / 3));
    Long retention = config.tombstoneRetention().map(Duration::toMillis).orElse(null);
    for (Table table : tables.all()) {
      TopicProgress progress = new TopicProgress(table.name(), staleAfter, checkInterval);
      topics.put(
          table.name(),
          new Following(
              new TopicFollower(
                  table, progress, settings.format(table.name()), retention, events, clock)));
    }
    polls.listen(listener(pause));
  }

  private PollLog.Listener listener(PollPause pause) {
    return new PollLog.Listener() {
      @Override
      public void emptyPoll() {
        submit(Feed.this::drain);
      }

      @Override
      public void records(ConsumerRecords<?, ?> records) {
        pause.after(records);
      }

      @Override
      public void newConsumer() {
        submit(() -> anew("the Kafka consumer had to be made anew"));
      }

      @Override
      public void lost(RuntimeException reason) {
        submit(() -> anew("a poll was lost: " + reason));
      }
    };
  }

  /** Begins to look at the topics. */
  @SuppressWarnings("FutureReturnValueIgnored") // guarded: it can't fail
  void start() {
    thread.scheduleWithFixedDelay(guarded(this::tick), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  @PreDestroy
  void stop() {
    thread.shutdownNow();
  }

  /**
   * Polls wait to be applied. The stage completes once few of them are left, not once all are
   * applied, and never fails: the connector pauses the consumer when its queue is full and resumes
   * it when the queue is empty, and the feed must have work meanwhile. Any thread.
   */
  CompletionStage<@Nullable Void> catchUp() {
    CompletableFuture<@Nullable Void> room = new CompletableFuture<>();
    complete(waiting.getAndSet(room));
    if (!submit(this::drain) || polls.behind() <= FEW) {
      giveWay();
    }
    return room;
  }

  private void giveWay() {
    complete(waiting.getAndSet(null));
  }

  private static void complete(@Nullable CompletableFuture<@Nullable Void> stage) {
    if (stage != null) {
      stage.complete(null);
    }
  }

  private boolean submit(Runnable task) {
    try {
      thread.execute(guarded(task));
      return true;
    } catch (RejectedExecutionException e) {
      LOG.debug("The feed has stopped; what still arrives is dropped", e);
      return false;
    }
  }

  /**
   * A mistake in one task must not end the feed. What the virtual machine can't go on after, such
   * as a full heap, must show: the executor would swallow it.
   */
  private Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | AssertionError e) {
        LOG.error("Error on the feed thread; the feed goes on", e);
      } catch (Error e) {
        channel.ended(e);
        throw e;
      }
    };
  }

  private void drain() {
    PollLog.Poll poll = polls.take();
    for (int i = 1; poll != null; i++) {
      applyWhole(poll);
      polls.applied(poll);
      if (polls.behind() <= FEW) {
        giveWay();
      }
      clean(poll);
      if (i == MOST_AT_ONCE) {
        submit(this::drain);
        break;
      }
      poll = polls.take();
    }
    conclude();
  }

  /** A poll that was applied in part leaves a gap that nothing would tell of. */
  private void applyWhole(PollLog.Poll poll) {
    try {
      starts(poll);
      records(poll);
      positions(poll);
    } catch (RuntimeException | AssertionError e) {
      LOG.error("A batch could not be applied", e);
      touched(poll).forEach(t -> t.follower.startOver("a batch could not be applied: " + e));
    }
  }

  private Stream<Following> touched(PollLog.Poll poll) {
    return poll.records().partitions().stream()
        .map(p -> topics.get(p.topic()))
        .filter(Objects::nonNull)
        .distinct();
  }

  private void clean(PollLog.Poll poll) {
    touched(poll).forEach(t -> t.follower.clean());
  }

  private void starts(PollLog.Poll poll) {
    poll.passed()
        .forEach(
            (p, start) -> {
              Following topic = topics.get(p.topic());
              if (topic != null) {
                topic.follower.passed(p.partition(), start, poll.generation(p.topic()));
              }
            });
  }

  private void records(PollLog.Poll poll) {
    for (TopicPartition p : poll.records().partitions()) {
      Following topic = topics.get(p.topic());
      if (topic != null) {
        topic.follower.apply(p.partition(), poll.records().records(p), poll.generation(p.topic()));
      }
    }
  }

  private void positions(PollLog.Poll poll) {
    for (Map.Entry<TopicPartition, OffsetAndMetadata> next : poll.next().entrySet()) {
      TopicPartition p = next.getKey();
      Following topic = topics.get(p.topic());
      if (topic != null) {
        topic.follower.advance(
            p.partition(),
            next.getValue().offset(),
            next.getValue().leaderEpoch().orElse(-1),
            poll.generation(p.topic()));
      }
    }
  }

  /** What was polled, or is to be polled next, is no longer known. */
  private void anew(String reason) {
    topics.values().forEach(t -> t.follower.startOver(reason));
    conclude();
  }

  private void tick() {
    drain();
    if (!assigner.done()) {
      assign();
    }
    long now = clock.getAsLong();
    for (Following t : topics.values()) {
      if (t.follower.moreToClean()) {
        t.follower.clean();
      }
      if (!t.checking && now >= t.checkAt) {
        t.follower.clean();
        check(t, now);
      }
    }
  }

  private void check(Following t, long now) {
    t.checking = true;
    TopicProgress.Check check = t.follower.progress().begin();
    watcher
        .check(t.follower.topic())
        .thenAccept(answer -> submit(() -> answered(t, now, check, answer)));
  }

  private void answered(Following t, long begun, TopicProgress.Check check, TopicAnswer answer) {
    t.checking = false;
    t.checkAt =
        begun
            + (answer instanceof TopicAnswer.Known
                ? checkInterval
                : Math.min(checkInterval, IMPATIENT_MILLIS));
    t.follower.answered(check, answer);
    assign();
    conclude();
  }

  /** What follows from all that was learned is shown to everybody. */
  private void conclude() {
    List<Table> published = new ArrayList<>();
    boolean startedOver = false;
    for (Following t : topics.values()) {
      t.follower.settle();
      if (t.generation != t.follower.progress().generation()) {
        t.generation = t.follower.progress().generation();
        t.checkAt = 0;
        startedOver = true;
      }
      if (t.follower.publish()) {
        published.add(t.follower.table());
      }
      TableInfo info = t.follower.info();
      if (!info.equals(t.info)) {
        if (info.ready() && (t.info == null || !t.info.ready())) {
          t.checkAt = 0; // tokens are as old as the last check: make it one after all was read
        }
        t.info = info;
        infos.publish(info);
      }
    }
    if (startedOver) {
      assign();
    }
    for (Table table : published) {
      listeners.forEach(l -> l.published(table));
    }
  }

  private void assign() {
    Set<TopicPartition> partitions = new HashSet<>();
    Map<String, Integer> generations = new HashMap<>();
    for (Following t : topics.values()) {
      partitions.addAll(t.follower.partitions());
      generations.put(t.follower.topic(), t.follower.progress().generation());
    }
    assigner.assign(partitions, generations);
  }
}
