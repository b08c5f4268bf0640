/**
 * Health: readiness is whether every table has caught up, and how far each one is, which {@link
 * io.tablecast.feed.TableInfos} tells, and whether the service is not about to stop; liveness is
 * whether the feed can go on in this process, be there contact to Kafka or not. Any thread.
 */
@NullMarked
package io.tablecast.health;

import org.jspecify.annotations.NullMarked;
