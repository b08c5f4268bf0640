package io.tablecast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tablecast.testkit.EmbeddedBroker;
import io.tablecast.testkit.PackagedApp;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS to Kafka with each SASL mechanism, and TLS to clients. */
class SecurityIT {
  private static final String TOPIC = "secured";
  private static final String PASSWORD = "changeit";
  private static final int PLAIN_PORT = EmbeddedBroker.freePort();
  private static final int SASL_PORT = EmbeddedBroker.freePort();

  @TempDir static Path directory = Path.of("");

  private static @Nullable EmbeddedBroker broker;

  @BeforeAll
  static void launch() throws Exception {
    makeKeyStore();
    EmbeddedBroker launched = EmbeddedBroker.launch(PLAIN_PORT, brokerSettings());
    broker = launched;
    try (Admin admin = launched.kafka().admin()) {
      for (ScramMechanism mechanism :
          List.of(ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512)) {
        var user =
            new UserScramCredentialUpsertion(
                "app", new ScramCredentialInfo(mechanism, 4096), "secret");
        admin.alterUserScramCredentials(List.of(user)).all().get(20, TimeUnit.SECONDS);
      }
    }
    launched.kafka().createTopic(TOPIC, 1);
    launched.kafka().put(TOPIC, "k", "\"v\"");
  }

  @AfterAll
  static void stop() {
    if (broker != null) {
      broker.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"})
  void readsOverTlsWith(String mechanism) {
    String module = mechanism.equals("PLAIN") ? "plain.PlainLoginModule" : "scram.ScramLoginModule";
    Map<String, String> settings = new HashMap<>();
    settings.put("kafka.bootstrap.servers", "localhost:" + SASL_PORT);
    settings.put("kafka.security.protocol", "SASL_SSL");
    settings.put("kafka.sasl.mechanism", mechanism);
    settings.put(
        "kafka.sasl.jaas.config",
        "org.apache.kafka.common.security."
            + module
            + " required username=\"app\" password=\"secret\";");
    settings.put("kafka.ssl.truststore.location", store());
    settings.put("kafka.ssl.truststore.password", PASSWORD);
    settings.put("kafka.ssl.truststore.type", "PKCS12");
    settings.put("tablecast.topics", TOPIC);
    try (PackagedApp app = PackagedApp.start(settings)) {
      app.awaitReady();
      assertEquals("\"v\"", app.body("/tables/" + TOPIC + "/entries/k"));
    }
  }

  @Test
  void servesOverTls() throws Exception {
    int port = EmbeddedBroker.freePort();
    Map<String, String> settings =
        Map.of(
            "kafka.bootstrap.servers",
            "localhost:" + PLAIN_PORT,
            "tablecast.topics",
            TOPIC,
            "quarkus.http.ssl-port",
            Integer.toString(port),
            "quarkus.http.ssl.certificate.key-store-file",
            store(),
            "quarkus.http.ssl.certificate.key-store-password",
            PASSWORD);
    try (PackagedApp app = PackagedApp.start(settings)) {
      app.awaitReady();
      URI entry = URI.create("https://localhost:" + port + "/tables/" + TOPIC + "/entries/k");
      var response =
          HttpClient.newBuilder()
              .sslContext(trusting())
              .build()
              .send(HttpRequest.newBuilder(entry).build(), BodyHandlers.ofString());
      assertEquals("\"v\"", response.body());
      assertTrue(response.sslSession().isPresent());
    }
  }

  private static Map<String, String> brokerSettings() {
    int controller = EmbeddedBroker.freePort();
    String listeners = "PLAINTEXT://localhost:" + PLAIN_PORT + ",SASL://localhost:" + SASL_PORT;
    Map<String, String> settings = new HashMap<>();
    settings.put("controller.quorum.voters", "1@localhost:" + controller);
    settings.put("listeners", listeners + ",CONTROLLER://localhost:" + controller);
    settings.put("advertised.listeners", listeners);
    settings.put(
        "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL:SASL_SSL");
    settings.put("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512");
    settings.put(
        "listener.name.sasl.plain.sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required user_app=\"secret\";");
    for (String scram : List.of("scram-sha-256", "scram-sha-512")) {
      settings.put(
          "listener.name.sasl." + scram + ".sasl.jaas.config",
          "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    }
    settings.put("ssl.keystore.location", store());
    settings.put("ssl.keystore.password", PASSWORD);
    settings.put("ssl.keystore.type", "PKCS12");
    return settings;
  }

  private static void makeKeyStore() throws IOException, InterruptedException {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process made =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "localhost",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-ext",
                "bc=ca:true",
                "-storetype",
                "PKCS12",
                "-keystore",
                store(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    assertEquals(0, made.waitFor());
  }

  private static SSLContext trusting() throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance(Path.of(store()).toFile(), PASSWORD.toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("localhost", keys.getCertificate("localhost"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static String store() {
    return directory.resolve("tls.p12").toString();
  }
}
