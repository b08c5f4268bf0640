/**
 * Tokens: opaque names of positions in a table, good on every replica that reads the same cluster. Pure functions and immutable
 * values, any thread.
 */
@NullMarked
package io.tablecast.token;

import org.jspecify.annotations.NullMarked;
