/**
 * Measures the packaged service from outside, and baselines beside it: a broker, the server that is
 * measured, and the clients are processes of their own; {@link io.tablecast.load.Load} starts and
 * asks them, and writes to Kafka. Processes talk in lines on standard input and output. {@code
 * docs/benchmarks.md} has the commands and the figures.
 */
@NullMarked
package io.tablecast.load;

import org.jspecify.annotations.NullMarked;
