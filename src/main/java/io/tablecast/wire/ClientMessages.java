package io.tablecast.wire;

/** Parses what clients send. */
public final class ClientMessages {
  private ClientMessages() {}

  /**
   * Parses one text message.
   *
   * @throws BadMessageException when it is not a message of the protocol
   */
  public static ClientMessage parse(String text) throws BadMessageException {
    throw new UnsupportedOperationException();
  }
}
