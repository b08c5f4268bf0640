package io.tablecast.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;

/**
 * Three brokers and a controller in this JVM. Applications go through {@link #outside}, each
 * broker's connections through its {@link TcpProxy}; tests and brokers go straight, so that they
 * see what the application is kept from. Any thread.
 */
public final class EmbeddedCluster implements AutoCloseable {
  /** Brokers have the ids 1 to 3. */
  public static final int BROKERS = 3;

  private static final String CONTROLLER = "100";

  private final EmbeddedBroker controller;
  private final List<EmbeddedBroker> brokers = new ArrayList<>();
  private final List<TcpProxy> proxies = new ArrayList<>();
  private final String inside;
  private final String outside;

  /** Starts it with empty logs. */
  public EmbeddedCluster() {
    Uuid id = Uuid.randomUuid();
    int port = EmbeddedBroker.freePort();
    controller = EmbeddedBroker.prepare(port, id, controller(port));
    controller.start();
    List<String> direct = new ArrayList<>();
    for (int i = 1; i <= BROKERS; i++) {
      int internal = EmbeddedBroker.freePort();
      int external = EmbeddedBroker.freePort();
      TcpProxy proxy = new TcpProxy(external);
      proxies.add(proxy);
      brokers.add(
          EmbeddedBroker.prepare(internal, id, broker(i, port, internal, external, proxy.port())));
      direct.add("localhost:" + internal);
    }
    brokers.forEach(EmbeddedBroker::start);
    inside = String.join(",", direct);
    outside = proxies.stream().map(p -> "localhost:" + p.port()).collect(Collectors.joining(","));
  }

  private static Map<String, String> controller(int port) {
    Map<String, String> s = new HashMap<>();
    s.put("process.roles", "controller");
    s.put("node.id", CONTROLLER);
    s.put("controller.quorum.voters", CONTROLLER + "@localhost:" + port);
    s.put("listeners", "CONTROLLER://localhost:" + port);
    s.put("advertised.listeners", "");
    return s;
  }

  private static Map<String, String> broker(
      int id, int controllerPort, int internal, int external, int proxy) {
    Map<String, String> s = new HashMap<>();
    s.put("process.roles", "broker");
    s.put("node.id", Integer.toString(id));
    s.put("controller.quorum.voters", CONTROLLER + "@localhost:" + controllerPort);
    s.put("listeners", "INTERNAL://localhost:" + internal + ",EXTERNAL://localhost:" + external);
    s.put(
        "advertised.listeners",
        "INTERNAL://localhost:" + internal + ",EXTERNAL://localhost:" + proxy);
    s.put("inter.broker.listener.name", "INTERNAL");
    s.put(
        "listener.security.protocol.map",
        "INTERNAL:PLAINTEXT,EXTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT");
    s.put("replica.lag.time.max.ms", "5000");
    s.put("num.network.threads", "1");
    s.put("num.io.threads", "2");
    s.put("background.threads", "2");
    return s;
  }

  /** For applications, through the proxies. */
  public String outside() {
    return outside;
  }

  /** Helpers that write to it, past the proxies. */
  public TestKafka kafka() {
    return new TestKafka(inside, this::startAll, this::stopAll);
  }

  /** The broker of this id. */
  public EmbeddedBroker broker(int id) {
    return brokers.get(id - 1);
  }

  /** Stops all brokers; the controller goes on. */
  public void stopAll() {
    brokers.forEach(EmbeddedBroker::stop);
  }

  /** Starts all brokers that do not run. */
  public void startAll() {
    brokers.forEach(EmbeddedBroker::start);
  }

  /** Holds back all bytes between applications and brokers, or lets them pass again. */
  public void pauseNetwork(boolean pause) {
    proxies.forEach(p -> p.pause(pause));
  }

  @Override
  public void close() {
    TestKafka.closeProducer(inside);
    proxies.forEach(TcpProxy::close);
    brokers.forEach(EmbeddedBroker::close);
    controller.close();
  }
}
