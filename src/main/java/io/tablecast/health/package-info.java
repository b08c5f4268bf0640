/**
 * Readiness: whether every table has caught up, and how far each one is. Reads {@link
 * io.tablecast.feed.TableInfos} and nothing else. Any thread.
 */
@NullMarked
package io.tablecast.health;

import org.jspecify.annotations.NullMarked;
