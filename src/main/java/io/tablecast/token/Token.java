package io.tablecast.token;

import io.tablecast.table.Frontier;
import java.util.Optional;

/** A position in one table. */
public final class Token {
  private Token() {}

  /** The token of a frontier, as text. */
  public static String encode(Frontier frontier) {
    throw new UnsupportedOperationException();
  }

  /** The token of a text; empty when it is none. Never throws. */
  public static Optional<Token> decode(String text) {
    throw new UnsupportedOperationException();
  }
}
