/**
 * The WebSocket side: connections, what they may do, and the way of a frame to the wire. The event
 * streams of {@link io.tablecast.http} share what is not of WebSockets: the places, the hubs, the
 * rooms, the outflow and the query strings.
 *
 * <p><b>Threads.</b> Everything of a connection happens on the event loop of its channel, which is
 * also the loop of the hub that serves it. {@link io.tablecast.socket.Hubs}, {@link
 * io.tablecast.socket.Connections} and {@link io.tablecast.socket.FanoutMetrics} are for any
 * thread.
 *
 * <p><b>Order.</b> {@link io.tablecast.socket.UpgradeGuard} decides whether a connection may be;
 * then its {@code SocketClient} opens a session, and an {@link io.tablecast.socket.Outflow} takes
 * the session's frames one by one: the next is asked for when the socket has taken the one before.
 *
 * <p><b>Promise.</b> However a connection ends, its session is closed once and its place is free
 * again. A client that breaks a limit is told which one in the close reason; one that does not take
 * what it is sent is cut off, since a close frame would have to wait behind that.
 */
@NullMarked
package io.tablecast.socket;

import org.jspecify.annotations.NullMarked;
