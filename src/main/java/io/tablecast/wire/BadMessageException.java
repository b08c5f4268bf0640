package io.tablecast.wire;

import org.jspecify.annotations.Nullable;

/**
 * A client's message that is not one of the protocol; the message text names the member at fault.
 */
public final class BadMessageException extends Exception {
  private static final long serialVersionUID = 1;
  private final @Nullable String id;

  /**
   * @param id of the request, null if it could not be read
   */
  public BadMessageException(@Nullable String id, String message) {
    super(message);
    this.id = id;
  }

  /** The id of the refused request, null if it could not be read. */
  public @Nullable String id() {
    return id;
  }
}
