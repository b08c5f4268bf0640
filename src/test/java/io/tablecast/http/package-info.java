/** Tests of the HTTP side. */
@NullMarked
package io.tablecast.http;

import org.jspecify.annotations.NullMarked;
