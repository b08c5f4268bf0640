package io.tablecast.http;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The HTTP interface, of the packaged application. */
@QuarkusIntegrationTest
class TablesHttpIT extends TablesHttpTest {}
