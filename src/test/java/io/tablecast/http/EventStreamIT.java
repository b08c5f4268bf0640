package io.tablecast.http;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** Event streams, of the packaged application. */
@QuarkusIntegrationTest
class EventStreamIT extends EventStreamTest {}
