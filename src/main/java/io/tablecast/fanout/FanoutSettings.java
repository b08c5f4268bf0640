package io.tablecast.fanout;

import io.tablecast.wire.ValueFormat;
import java.util.function.Function;

/**
 * What a hub is configured with.
 *
 * @param frameBytes target size of one {@code changes} message
 * @param bookmarkMillis quiet time after which a live subscription gets a bookmark
 * @param maxSubscriptions per session
 * @param maxKeys keys and prefixes per subscription
 * @param format a table's name to how its values are shown
 */
public record FanoutSettings(
    int frameBytes,
    long bookmarkMillis,
    int maxSubscriptions,
    int maxKeys,
    Function<String, ValueFormat> format) {}
