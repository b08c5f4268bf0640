/**
 * The fan-out: changes of tables to the subscriptions of many connections.
 *
 * <p><b>Threads.</b> One {@link io.tablecast.fanout.Hub} per event loop, confined to that loop's
 * thread together with its sessions and subscriptions; only {@link io.tablecast.fanout.Hub#wake},
 * and what a session's subscriber asks of it, may be called from elsewhere. A hub reads the tables
 * without locks.
 *
 * <p><b>Order.</b> A {@link io.tablecast.fanout.Session} gives its frames one by one, as they are
 * asked for; for each subscription they keep the order of the table.
 *
 * <p><b>Promise.</b> The delivery contract of {@code docs/protocol.md}. The cost of a change does
 * not grow with the number of subscriptions that it does not match. A session that asks for no
 * frames costs a place for each subscription, in the table's log or in the queue that all
 * subscriptions with its filter share, which holds at most about twice as many changes as are still
 * to be told. Nothing here knows Quarkus, Kafka, Vert.x or WebSockets.
 */
@NullMarked
package io.tablecast.fanout;

import org.jspecify.annotations.NullMarked;
