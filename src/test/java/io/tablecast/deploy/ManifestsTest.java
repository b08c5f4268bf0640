package io.tablecast.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manifests, against the model of the Kubernetes API and against each other. */
class ManifestsTest {
  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "ServiceAccount", ServiceAccount.class,
          "ConfigMap", ConfigMap.class,
          "Service", Service.class,
          "Deployment", Deployment.class,
          "PodDisruptionBudget", PodDisruptionBudget.class,
          "HorizontalPodAutoscaler", HorizontalPodAutoscaler.class,
          "ServiceMonitor", ServiceMonitor.class,
          "PrometheusRule", PrometheusRule.class);

  /** What a closing handshake may take after the drain (socket.Drain), and the stop itself. */
  private static final int AFTER_DRAIN_SECONDS = 5;

  @Test
  void everyFieldIsOneThatTheApiKnows() throws IOException {
    int checked = 0;
    for (String file : List.of("tablecast.yaml", "monitoring.yaml")) {
      for (JsonNode document : Manifests.documents(file)) {
        HasMetadata read = Manifests.as(KINDS.get(document.path("kind").asText()), document);
        assertEquals(document.path("apiVersion").asText(), read.getApiVersion());
        assertEquals("tablecast", read.getMetadata().getName());
        assertEquals("tablecast", read.getMetadata().getLabels().get("app.kubernetes.io/name"));
        checked++;
      }
    }
    assertEquals(KINDS.size(), checked);
  }

  /** The API's OpenAPI document knows, beyond the model, which fields must be there. */
  @ParameterizedTest
  @ValueSource(
      classes = {
        V1ServiceAccount.class,
        V1ConfigMap.class,
        V1Service.class,
        V1Deployment.class,
        V1PodDisruptionBudget.class,
        V2HorizontalPodAutoscaler.class
      })
  void everyDocumentFitsTheSchemaOfItsKind(Class<?> schema) throws Exception {
    Manifests.validate(schema, document(schema.getSimpleName().substring(2)));
  }

  @Test
  void aMissingFieldIsNoticed() throws IOException {
    JsonNode deployment = document("Deployment");
    ((ObjectNode) deployment.path("spec")).remove("selector");
    InvocationTargetException refused =
        assertThrows(
            InvocationTargetException.class,
            () -> Manifests.validate(V1Deployment.class, deployment));
    assertTrue(refused.getCause().getMessage().contains("selector"), refused.toString());
  }

  @Test
  void aMisspelledFieldIsNoticed() throws IOException {
    JsonNode deployment = document("Deployment");
    ((ObjectNode) deployment.at("/spec/template/spec")).put("terminationGracePeriod", 1);
    JsonMappingException refused =
        assertThrows(JsonMappingException.class, () -> Manifests.as(Deployment.class, deployment));
    assertTrue(refused.getMessage().contains("terminationGracePeriod"), refused.getMessage());
  }

  @Test
  void theGracePeriodHoldsThePreStopSleepAndTheDrain() throws IOException {
    // All that is needed of the forms that the setting may have.
    Duration drain = Duration.parse("PT" + configuration().get("TABLECAST_SHUTDOWN_DRAIN"));
    long preStop = container().getLifecycle().getPreStop().getSleep().getSeconds();
    long grace = pod().getTerminationGracePeriodSeconds();
    assertTrue(
        grace >= preStop + drain.toSeconds() + AFTER_DRAIN_SECONDS,
        grace + " s for " + preStop + " s, " + drain);
  }

  @Test
  void noReplicaGoesBeforeAnotherIsReady() throws IOException {
    Deployment deployment = Manifests.as(Deployment.class, document("Deployment"));
    var rolling = deployment.getSpec().getStrategy().getRollingUpdate();
    assertEquals(0, rolling.getMaxUnavailable().getIntVal());
    assertTrue(rolling.getMaxSurge().getIntVal() > 0);
    assertEquals(
        deployment.getSpec().getSelector().getMatchLabels(),
        deployment.getSpec().getTemplate().getMetadata().getLabels());
  }

  @Test
  void onlyReadinessWaitsForCatchingUp() throws IOException {
    assertEquals("/q/health/started", path(container().getStartupProbe()));
    assertEquals("/q/health/live", path(container().getLivenessProbe()));
    assertEquals("/q/health/ready", path(container().getReadinessProbe()));
  }

  @Test
  void theContainerRunsWithoutRightsOnAReadOnlyRoot() throws IOException {
    assertTrue(pod().getSecurityContext().getRunAsNonRoot());
    var container = container().getSecurityContext();
    assertTrue(container.getReadOnlyRootFilesystem());
    assertFalse(container.getAllowPrivilegeEscalation());
    assertEquals(List.of("ALL"), container.getCapabilities().getDrop());
    assertEquals("/tmp", container().getVolumeMounts().get(0).getMountPath());
  }

  @Test
  void portsAndLabelsFitEachOther() throws IOException {
    Service service = Manifests.as(Service.class, document("Service"));
    var port = service.getSpec().getPorts().get(0);
    assertEquals(container().getPorts().get(0).getName(), port.getTargetPort().getStrVal());
    ServiceMonitor monitor = Manifests.as(ServiceMonitor.class, document("ServiceMonitor"));
    assertEquals(port.getName(), monitor.getSpec().getEndpoints().get(0).getPort());
    assertEquals(
        service.getMetadata().getLabels(), monitor.getSpec().getSelector().getMatchLabels());
    PodDisruptionBudget budget =
        Manifests.as(PodDisruptionBudget.class, document("PodDisruptionBudget"));
    assertEquals(service.getSpec().getSelector(), budget.getSpec().getSelector().getMatchLabels());
  }

  @Test
  void everyAlertIsExplainedAndAsksForMetricsThatAreDocumented() throws IOException {
    String operations = Files.readString(Path.of("docs/operations.md"));
    PrometheusRule rules = Manifests.as(PrometheusRule.class, document("PrometheusRule"));
    for (var group : rules.getSpec().getGroups()) {
      for (var rule : group.getRules()) {
        assertTrue(operations.contains(rule.getAlert()), rule.getAlert() + " is not explained");
        Matcher metric = Pattern.compile("tablecast_\\w+").matcher(rule.getExpr().getStrVal());
        while (metric.find()) {
          assertTrue(operations.contains(metric.group()), metric.group() + " is not documented");
        }
      }
    }
  }

  private static String path(Probe probe) {
    assertEquals("http", probe.getHttpGet().getPort().getStrVal());
    return probe.getHttpGet().getPath();
  }

  private static Map<String, String> configuration() throws IOException {
    return Manifests.as(ConfigMap.class, document("ConfigMap")).getData();
  }

  private static PodSpec pod() throws IOException {
    return Manifests.as(Deployment.class, document("Deployment")).getSpec().getTemplate().getSpec();
  }

  private static Container container() throws IOException {
    return pod().getContainers().get(0);
  }

  private static JsonNode document(String kind) throws IOException {
    for (String file : List.of("tablecast.yaml", "monitoring.yaml")) {
      for (JsonNode document : Manifests.documents(file)) {
        if (document.path("kind").asText().equals(kind)) {
          return document;
        }
      }
    }
    throw new AssertionError("no " + kind);
  }
}
