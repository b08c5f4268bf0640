/** Tests of the whole. */
@NullMarked
package io.tablecast;

import org.jspecify.annotations.NullMarked;
