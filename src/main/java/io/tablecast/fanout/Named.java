package io.tablecast.fanout;

import io.tablecast.token.Token;

/** A token and its text, which many subscriptions share. Immutable. */
record Named(Token token, String text) {
  Named(Token token) {
    this(token, token.text());
  }
}
