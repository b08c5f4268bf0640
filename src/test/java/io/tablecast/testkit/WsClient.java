package io.tablecast.testkit;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A WebSocket client that keeps what it gets in order. Reading from one thread. */
public final class WsClient implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
  private final CompletableFuture<Integer> closed = new CompletableFuture<>();
  private final WebSocket socket;
  private boolean paused;
  private boolean owed;

  private WsClient(URI uri) {
    socket =
        HTTP.newWebSocketBuilder()
            .subprotocols("tablecast.v1")
            .connectTimeout(PATIENCE)
            .buildAsync(uri, new Listener())
            .join();
  }

  /**
   * Connects.
   *
   * @param base where the application listens, {@code http://host:port} or {@code ws://…}
   * @param path path and query
   */
  public static WsClient connect(String base, String path) {
    return new WsClient(URI.create(base.replaceFirst("^http", "ws").replaceFirst("/$", "") + path));
  }

  /** Sends a text message. */
  public void send(String json) {
    socket.sendText(json, true).orTimeout(20, TimeUnit.SECONDS).join();
  }

  /** The next message, waited for. */
  public Message next() {
    Message message = poll(PATIENCE);
    if (message == null) {
      throw new AssertionError(
          "no message within " + PATIENCE.toSeconds() + " s" + (closed.isDone() ? "; closed" : ""));
    }
    return message;
  }

  /** The next message, or null when none comes in this time. */
  public @Nullable Message poll(Duration patience) {
    try {
      return messages.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The next message, which must be of this type. */
  public Message next(String type) {
    Message message = next();
    if (!message.type().equals(type)) {
      throw new AssertionError("expected " + type + " but got " + message);
    }
    return message;
  }

  /** The next message that fits; those before it are dropped. */
  public Message nextThat(Predicate<Message> fits) {
    Message message = next();
    while (!fits.test(message)) {
      message = next();
    }
    return message;
  }

  /** Whether the connection has ended, in whatever way; messages may still be waiting. */
  public boolean isClosed() {
    return closed.isDone();
  }

  /** Stops taking messages from the network, or takes them again. */
  public synchronized void pause(boolean pause) {
    paused = pause;
    if (!pause && owed) {
      owed = false;
      socket.request(1);
    }
  }

  private synchronized void taken(WebSocket from) {
    owed = paused;
    if (!paused) {
      from.request(1);
    }
  }

  /** The close code, waited for. */
  public int closeCode() {
    return closed.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** Says good-bye. */
  @Override
  public void close() {
    if (!socket.isOutputClosed()) {
      socket.sendClose(WebSocket.NORMAL_CLOSURE, "").orTimeout(20, TimeUnit.SECONDS).join();
    }
  }

  /** Vanishes without a word. */
  public void abort() {
    socket.abort();
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder parts = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      parts.append(data);
      if (last) {
        messages.add(Message.parse(parts.toString()));
        parts.setLength(0);
      }
      taken(socket);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      closed.complete(code);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      closed.completeExceptionally(error);
    }
  }
}
