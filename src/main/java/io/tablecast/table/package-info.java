/**
 * The table: a compacted topic kept in memory as a compacted log of its own.
 *
 * <p><b>Threads.</b> One writer, the feed thread, calls {@link io.tablecast.table.TableWriter}; any number of readers, on
 * any thread, take no locks. What the writer has done becomes visible to readers with one volatile write, in
 * {@link io.tablecast.table.TableWriter#publish}.
 *
 * <p><b>Order.</b> A sequence number, local to this process, orders all changes of a table across its partitions. It is
 * never used twice, not even when the table starts over.
 *
 * <p><b>Promise.</b> Reading with a {@link io.tablecast.table.Cursor} from 0 to the end of a {@link
 * io.tablecast.table.Version} gives the newest record of every key; reading on from there gives every later change, or a
 * newer one of the same key. Pure Java: nothing here knows Kafka, Quarkus or a socket.
 */
@NullMarked
package io.tablecast.table;

import org.jspecify.annotations.NullMarked;
