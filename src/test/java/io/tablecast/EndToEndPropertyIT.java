package io.tablecast;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The whole under random load, as it is delivered. */
@QuarkusIntegrationTest
class EndToEndPropertyIT extends EndToEndPropertyTest {}
