package io.tablecast.socket;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A WebSocket client that does only what it is told to, and shows every frame: for what a
 * well-behaved client can't do. It does not answer pings, and reads only when asked.
 */
final class RawSocket implements Closeable {
  static final int CONTINUATION = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  private static final int PATIENCE_MILLIS = 20_000;
  private static final byte[] MASK = {1, 2, 3, 4};

  /** A frame from the server. */
  @SuppressWarnings("ArrayRecordComponent")
  record Frame(int opcode, boolean last, int reserved, byte[] payload) {
    String text() {
      return new String(payload, StandardCharsets.UTF_8);
    }

    int closeCode() {
      return (payload[0] & 0xff) << 8 | (payload[1] & 0xff);
    }

    String closeReason() {
      return new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8);
    }
  }

  private final Socket socket;
  private final DataInputStream in;
  private final int status;
  private final Map<String, String> headers = new LinkedHashMap<>();

  /**
   * Asks for an upgrade.
   *
   * @param more header lines, e.g. {@code Origin: null}
   */
  RawSocket(URI base, String path, String... more) throws IOException {
    socket = new Socket();
    socket.setReceiveBufferSize(16 << 10);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(new InetSocketAddress(base.getHost(), base.getPort()));
    StringBuilder request =
        new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: " + base.getAuthority() + "\r\n");
    request.append("Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n");
    request.append("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n");
    Arrays.stream(more).forEach(line -> request.append(line).append("\r\n"));
    socket
        .getOutputStream()
        .write(request.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    in = new DataInputStream(socket.getInputStream());
    status = Integer.parseInt(line().split(" ", -1)[1]);
    for (String line = line(); !line.isEmpty(); line = line()) {
      String[] parts = line.split(": ", 2);
      headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
    }
  }

  int status() {
    return status;
  }

  String header(String name) {
    return headers.getOrDefault(name, "");
  }

  void text(String text) throws IOException {
    frame(TEXT, true, text.getBytes(StandardCharsets.UTF_8));
  }

  void frame(int opcode, boolean last, byte[] payload) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(payload.length + 14);
    out.put((byte) ((last ? 0x80 : 0) | opcode));
    out.put((byte) 0xff).putLong(payload.length).put(MASK);
    for (int i = 0; i < payload.length; i++) {
      out.put((byte) (payload[i] ^ MASK[i % 4]));
    }
    if (payload.length < 126) {
      byte[] small = out.array();
      small[1] = (byte) (0x80 | payload.length);
      System.arraycopy(small, 10, small, 2, payload.length + 4);
      raw(Arrays.copyOf(small, payload.length + 6));
    } else if (payload.length < 65_536) {
      byte[] medium = out.array();
      medium[1] = (byte) 0xfe;
      System.arraycopy(medium, 8, medium, 2, payload.length + 6);
      raw(Arrays.copyOf(medium, payload.length + 8));
    } else {
      raw(Arrays.copyOf(out.array(), out.position()));
    }
  }

  void raw(byte... bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** The next frame, waited for. */
  Frame next() throws IOException {
    int first = in.readUnsignedByte();
    long length = in.readUnsignedByte();
    if (length == 126) {
      length = in.readUnsignedShort();
    } else if (length == 127) {
      length = in.readLong();
    }
    byte[] payload = in.readNBytes((int) length);
    if (payload.length < length) {
      throw new EOFException();
    }
    return new Frame(first & 15, (first & 0x80) != 0, first & 0x70, payload);
  }

  /** The next frame with this opcode; those before it are dropped. */
  Frame next(int opcode) throws IOException {
    Frame frame = next();
    while (frame.opcode() != opcode) {
      frame = next();
    }
    return frame;
  }

  /** Reads on until the connection ends; false if it ended with a reset. */
  boolean endsInOrder() {
    try {
      while (true) {
        next();
      }
    } catch (EOFException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
      if (c != '\r') {
        line.write(c);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /** Vanishes. */
  @Override
  public void close() throws IOException {
    if (!socket.isClosed()) {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }
}
