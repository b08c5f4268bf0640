/**
 * The messages of the protocol as bytes: what clients send is parsed here, what they get is
 * rendered here. Pure functions and immutable values, any thread; {@code docs/protocol.md} is the
 * specification.
 */
@NullMarked
package io.tablecast.wire;

import org.jspecify.annotations.NullMarked;
