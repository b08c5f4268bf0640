/**
 * The table: a compacted topic kept in memory as a compacted log of its own.
 *
 * <p><b>Threads.</b> One writer, the feed thread, calls {@link io.tablecast.table.TableWriter}; any
 * number of readers, on any thread, take no locks. What the writer has done becomes visible to
 * readers with one volatile write, in {@link io.tablecast.table.TableWriter#publish}; only a
 * look-up of a key ({@link io.tablecast.table.Table#find}, {@link io.tablecast.table.Table#get})
 * may be ahead of that. Cursors and views belong to the reader that made them.
 *
 * <p><b>Order.</b> A sequence number, local to this process, orders all changes of a table across
 * its partitions. It is never used twice, not even when the table starts over.
 *
 * <p><b>Promise.</b> Reading with a {@link io.tablecast.table.Cursor} from 0 to the end of a {@link
 * io.tablecast.table.Version} gives the newest record of every key, in the order of sequence
 * numbers; reading on from there gives every later change, or a newer one of the same key. Three
 * things a reader must do for it:
 *
 * <ul>
 *   <li>move on to newer versions, never back;
 *   <li>start over when {@link io.tablecast.table.Version#incarnation} changes, or when {@link
 *       io.tablecast.table.Version#dropped} passes its position: a deletion may be missing;
 *   <li>before it says that it has everything: come to the end of a version and then ask {@link
 *       io.tablecast.table.Table#isNewest}. A record that dies in a newer version is passed over at
 *       once by those who still read against an older one, and its successor is in the newer one.
 * </ul>
 *
 * <p><b>Deaths.</b> A superseded record is marked dead when its successor is published, not before:
 * against the newest version, a cursor shows neither two records of a key nor none. Whoever holds a
 * version sees every death up to it.
 *
 * <p><b>Cleaning.</b> {@link io.tablecast.table.TableWriter#clean} replaces segments of the log by
 * rewritten ones in the next version; those who read older versions go on with the old segments,
 * which the garbage collector frees when nobody does. Bytes that a view has shown never change.
 *
 * <p><b>Speed.</b> A look-up waits for memory. {@link io.tablecast.table.TableWriter#lookAhead}
 * lets the waits of several keys overlap, and {@link io.tablecast.table.TableWriter#expect} lets
 * the index of a table that is being filled grow in few steps; neither changes anything else.
 *
 * <p>Pure Java: nothing here knows Kafka, Quarkus or a socket.
 */
@NullMarked
package io.tablecast.table;

import org.jspecify.annotations.NullMarked;
