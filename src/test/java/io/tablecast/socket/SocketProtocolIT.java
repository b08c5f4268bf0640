package io.tablecast.socket;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The protocol on WebSockets, of the packaged application. */
@QuarkusIntegrationTest
class SocketProtocolIT extends SocketProtocolTest {}
