/**
 * The demo of the README: a broker, three tables that move, and the packaged application before
 * them.
 */
@NullMarked
package io.tablecast.demo;

import org.jspecify.annotations.NullMarked;
