/**
 * The tables over plain HTTP: lists, single values, pages, whole tables as lines, and event
 * streams.
 *
 * <p><b>Threads.</b> Requests are served on the event loop of their connection; what reads a whole
 * table at once, a page or the changes behind a stream of lines, goes to a worker. Tables are read
 * without locks.
 *
 * <p><b>Promise.</b> Requests are taken apart from their raw target, since keys are arbitrary bytes
 * that no router's normalization may touch. No value is shown before its table has caught up. Every
 * error is a problem of RFC 9457.
 */
@NullMarked
package io.tablecast.http;

import org.jspecify.annotations.NullMarked;
