package io.tablecast.fanout;

import org.jspecify.annotations.Nullable;

/**
 * The shared part of a {@code changes} message, and what it brings a reader from one position to
 * another. Immutable; the array must not be written to.
 *
 * @param body from {@code "changes":} to the end of the message
 * @param to the position after it
 * @param count changes in it
 * @param builtAt the table's end when it was built: deaths up to there have been taken into account
 * @param token of the position after it, null when that can't be named
 */
@SuppressWarnings("ArrayRecordComponent")
record Batch(byte[] body, long to, int count, long builtAt, @Nullable Named token) {}
