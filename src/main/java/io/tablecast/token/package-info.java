/**
 * Tokens: opaque names of positions in a table, good on every replica that reads the same cluster.
 *
 * <p>{@link io.tablecast.token.Token} is the value and its binary form, {@link
 * io.tablecast.token.Judge} decides whether one can be honoured, {@link io.tablecast.token.Since}
 * tells what has come after it. Pure functions and immutable values, any thread. Nothing here
 * throws for what a client sends.
 */
@NullMarked
package io.tablecast.token;

import org.jspecify.annotations.NullMarked;
