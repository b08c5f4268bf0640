package io.tablecast.browser;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The network between a browser and a local port: TCP connections that can be cut. Any thread. */
final class Relay implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  private final List<Socket> sockets = new ArrayList<>();
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private boolean cut;

  Relay(int target) throws IOException {
    this.target = target;
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** What clients have sent since the last cut. */
  synchronized String sent() {
    return sent.toString(StandardCharsets.ISO_8859_1);
  }

  /**
   * Closes all connections, in the middle of whatever they carry. New ones hang until {@link
   * #mend}.
   */
  synchronized void cut() throws IOException {
    cut = true;
    sent.reset();
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  /** Lets connections through again. */
  synchronized void mend() {
    cut = false;
    notifyAll();
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
    mend();
  }

  private void accept() throws IOException, InterruptedException {
    while (true) {
      connect(server.accept());
    }
  }

  private synchronized void connect(Socket client) throws IOException, InterruptedException {
    while (cut) {
      wait();
    }
    Socket app = new Socket(InetAddress.getLoopbackAddress(), target);
    sockets.add(client);
    sockets.add(app);
    InputStream up = client.getInputStream();
    OutputStream toApp = app.getOutputStream();
    start(() -> copy(up, toApp, true));
    InputStream down = app.getInputStream();
    OutputStream toClient = client.getOutputStream();
    start(() -> copy(down, toClient, false));
  }

  private void copy(InputStream from, OutputStream to, boolean record) throws IOException {
    byte[] buffer = new byte[8192];
    try (from;
        to) {
      for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
        if (record) {
          record(buffer, n);
        }
        to.write(buffer, 0, n);
      }
    }
  }

  private synchronized void record(byte[] bytes, int length) {
    sent.write(bytes, 0, length);
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // A connection has ended, or the relay: both ends learn that from their sockets.
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "relay");
    thread.setDaemon(true);
    thread.start();
  }
}
