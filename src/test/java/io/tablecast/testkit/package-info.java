/**
 * What tests stand on: a real Kafka broker inside the test's JVM, helpers to write to it, and the
 * oracle.
 *
 * <p>A {@code @QuarkusTest} names its topics with
 *
 * <pre>{@code
 * @WithTestResource(value = KafkaTables.class, initArgs = @ResourceArg(name = "topics", value = "prices:3,users"))
 * }</pre>
 *
 * and gets at the broker with {@link io.tablecast.testkit.TestKafka#shared()}. Topic names should
 * be the test class' own: the broker is shared by all classes of the JVM. A test that stops brokers
 * starts its own {@link io.tablecast.testkit.EmbeddedBroker}, or puts the shared one back up before
 * it ends.
 */
@NullMarked
package io.tablecast.testkit;

import org.jspecify.annotations.NullMarked;
