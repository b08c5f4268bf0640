/**
 * Readiness: whether every table has caught up, and how far each one is, which {@link
 * io.tablecast.feed.TableInfos} tells; and whether the service is not about to stop. Any thread.
 */
@NullMarked
package io.tablecast.health;

import org.jspecify.annotations.NullMarked;
