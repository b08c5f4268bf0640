package io.tablecast.testkit;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.java_websocket.client.WebSocketClient;
import org.java_websocket.drafts.Draft_6455;
import org.java_websocket.handshake.ServerHandshake;
import org.java_websocket.protocols.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket client that keeps what it gets in order. Reading from one thread.
 *
 * <p>Not the JDK's: under load that of Java 17 now and then gives a part of a message for the
 * whole, and then nothing.
 */
public final class WsClient implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
  private final CompletableFuture<Integer> closed = new CompletableFuture<>();
  private final Wire wire;
  private boolean paused;
  private volatile @Nullable RuntimeException unreadable;

  private WsClient(URI uri) throws IOException {
    wire = new Wire(uri);
    boolean open;
    try {
      open = wire.connectBlocking(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    if (!open) {
      wire.vanish();
      throw new IOException("no WebSocket at " + uri);
    }
  }

  /**
   * Connects.
   *
   * @param base where the application listens, {@code http://host:port} or {@code ws://…}
   * @param path path and query
   * @throws IOException when there is nobody, or the handshake is refused
   */
  public static WsClient open(String base, String path) throws IOException {
    return new WsClient(URI.create(base.replaceFirst("^http", "ws").replaceFirst("/$", "") + path));
  }

  /** As {@link #open}, where it must succeed. */
  public static WsClient connect(String base, String path) {
    try {
      return open(base, path);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends a text message. */
  public void send(String json) {
    wire.send(json);
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
      Message message = messages.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (message == null && unreadable != null) {
        throw new AssertionError("a message could not be read", unreadable);
      }
      return message;
    } catch (InterruptedException e) {
      throw interrupted(e);
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
    notifyAll();
  }

  private synchronized void awaitGoOn() {
    try {
      while (paused) {
        wait();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** The close code, waited for. */
  public int closeCode() {
    return closed.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** Says good-bye. */
  @Override
  public void close() {
    pause(false);
    wire.close();
  }

  /** Vanishes without a word. */
  public void abort() {
    pause(false);
    wire.vanish();
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException(e);
  }

  /** The connection. Its callbacks come on its reading thread, which reads nothing meanwhile. */
  private final class Wire extends WebSocketClient {
    Wire(URI uri) {
      super(uri, new Draft_6455(List.of(), List.of(new Protocol("tablecast.v1"))));
      setConnectionLostTimeout(0); // whether a client is alive is for the service to find out
      setDaemon(true);
    }

    void vanish() {
      Socket socket = getSocket();
      if (socket != null) {
        try {
          socket.close();
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      }
    }

    @Override
    public void onOpen(ServerHandshake response) {
      // connectBlocking tells.
    }

    @Override
    public void onMessage(String text) {
      awaitGoOn();
      try {
        messages.add(Message.parse(text));
      } catch (RuntimeException e) {
        unreadable = e;
        throw e;
      }
    }

    @Override
    public void onClose(int code, String reason, boolean remote) {
      closed.complete(code);
    }

    @Override
    public void onError(Exception error) {
      // A close follows.
    }
  }
}
