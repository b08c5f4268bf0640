/** Tests of the WebSocket side. */
@NullMarked
package io.tablecast.socket;

import org.jspecify.annotations.NullMarked;
