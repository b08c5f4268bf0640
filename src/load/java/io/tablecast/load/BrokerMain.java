package io.tablecast.load;

import io.tablecast.testkit.EmbeddedBroker;
import java.io.IOException;
import java.util.Map;

/** A broker as a process: says where it listens, and ends when its standard input does. */
final class BrokerMain {
  private BrokerMain() {}

  public static void main(String[] args) throws IOException {
    EmbeddedBroker broker =
        EmbeddedBroker.launch(
            EmbeddedBroker.freePort(),
            // Nothing is cleaned while it is being measured.
            Map.of(
                "log.cleaner.backoff.ms", "600000", "log.retention.check.interval.ms", "600000"));
    System.out.println("READY " + broker.bootstrap());
    while (System.in.read() >= 0) {
      continue;
    }
    broker.close();
    System.exit(0);
  }
}
