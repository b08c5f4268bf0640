package io.tablecast.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Passes the bytes of TCP connections on, and can hold them back: neither side is told anything.
 * Any thread.
 */
public final class TcpProxy implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private boolean paused;

  /**
   * Starts one on a free port.
   *
   * @param target the port of the loopback address that connections are passed on to
   */
  public TcpProxy(int target) {
    this.target = target;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  /** Where it listens. */
  public int port() {
    return server.getLocalPort();
  }

  /** Holds all bytes back, or lets them pass again. */
  public synchronized void pause(boolean pause) {
    paused = pause;
    notifyAll();
  }

  private synchronized void awaitPassage() throws InterruptedException {
    while (paused) {
      wait();
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      Socket client;
      try {
        client = server.accept();
      } catch (IOException e) {
        return; // closed
      }
      sockets.add(client);
      try {
        Socket broker = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(broker);
        daemon(() -> pump(client, broker));
        daemon(() -> pump(broker, client));
      } catch (IOException e) {
        close(client); // the broker is down: so is the connection
      }
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] bytes = new byte[8192];
    try (from;
        to) {
      for (int n = from.getInputStream().read(bytes);
          n >= 0;
          n = from.getInputStream().read(bytes)) {
        awaitPassage();
        to.getOutputStream().write(bytes, 0, n);
      }
    } catch (IOException e) {
      // One side has closed; then both are.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "tcp-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void close(Socket socket) {
    sockets.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    sockets.forEach(this::close);
  }
}
