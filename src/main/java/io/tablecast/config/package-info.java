/**
 * The settings: every property that begins with {@code tablecast.}, read and checked once at start.
 *
 * <p>A wrong value stops the start with a message that names the property, its value and what is
 * allowed. The documentation is {@code docs/configuration.md}. Immutable; any thread.
 */
@NullMarked
package io.tablecast.config;

import org.jspecify.annotations.NullMarked;
