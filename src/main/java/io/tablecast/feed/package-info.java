/**
 * The feed: Kafka topics into tables.
 *
 * <p><b>Threads.</b> The connector's polling thread owns the consumer: it polls, and it assigns and
 * seeks what it is asked to. The one <i>feed thread</i> owns all table writers and everything that
 * is known of a topic's life: polls, those without records too, the answers of topic checks and the
 * clock's ticks are all handed to it, and are worked on in the order in which they came. {@link
 * io.tablecast.feed.TableInfos} is for any thread.
 *
 * <p><b>Order.</b> Polls are taken in their order, up to eight at a time: apply them to the tables,
 * clean, publish those that were touched, then tell every {@link io.tablecast.feed.TableListener}.
 *
 * <p><b>Promise.</b> After catching up a table is what a new reader of the topic would build now. A
 * record that can't be used is counted, logged when it is the first of its kind in its topic, and
 * passed over; nothing that a record holds can stop the feed.
 */
@NullMarked
package io.tablecast.feed;

import org.jspecify.annotations.NullMarked;
