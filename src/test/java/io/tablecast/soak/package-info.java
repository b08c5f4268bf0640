/**
 * The packaged application as processes, before real brokers, while everything goes wrong that may:
 * what its promises are worth. Run by {@code ./mvnw verify}; see {@code docs/reliability.md}.
 */
@NullMarked
package io.tablecast.soak;

import org.jspecify.annotations.NullMarked;
