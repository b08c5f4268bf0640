package io.tablecast.feed;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.KafkaConsumer;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.jspecify.annotations.Nullable;

/** The connector's channel, with a polling thread that waits to be told to go on. */
final class FakeChannel {
  private record Task(Consumer<Object> action, UniEmitter<? super Void> told) {}

  private final Queue<Task> tasks = new ArrayDeque<>();
  private final MockConsumer<byte[], byte[]> consumer;

  FakeChannel(MockConsumer<byte[], byte[]> consumer) {
    this.consumer = consumer;
  }

  /** How much was given to the polling thread that has not run yet. */
  int given() {
    return tasks.size();
  }

  /** The polling thread runs what it was given first. */
  void run() {
    Task task = tasks.remove();
    try {
      task.action().accept(consumer);
    } catch (RuntimeException e) {
      task.told().fail(e);
      return;
    }
    task.told().complete(null);
  }

  KafkaClientService clients() {
    return clients(fake(KafkaConsumer.class, this::answer));
  }

  /** When the channel is being closed. */
  static KafkaClientService gone() {
    return clients(null);
  }

  private static KafkaClientService clients(@Nullable Object channel) {
    return fake(KafkaClientService.class, (method, arguments) -> channel);
  }

  @SuppressWarnings("unchecked")
  private Object answer(String method, Object @Nullable [] arguments) {
    return switch (method) {
      case "unwrap" -> consumer;
      case "runOnPollingThread" ->
          Uni.createFrom()
              .<Void>emitter(told -> tasks.add(new Task((Consumer<Object>) arguments[0], told)));
      default -> throw new UnsupportedOperationException(method);
    };
  }

  private static <T> T fake(
      Class<T> type, BiFunction<String, Object @Nullable [], @Nullable Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.apply(method.getName(), arguments)));
  }
}
