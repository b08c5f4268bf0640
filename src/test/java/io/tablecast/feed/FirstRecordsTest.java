package io.tablecast.feed;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.tablecast.table.Tables;
import io.tablecast.testkit.KafkaTables;
import io.tablecast.testkit.TestKafka;
import jakarta.inject.Inject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(
    value = KafkaTables.class,
    restrictToAnnotatedClass = true,
    initArgs = @ResourceArg(name = "topics", value = "feed.first:2"))
class FirstRecordsTest {
  @Inject Tables tables;

  @Test
  void recordsBecomeEntries() {
    TestKafka kafka = TestKafka.shared();
    kafka.put("feed.first", "a", "1");
    kafka.put("feed.first", "b", "2");
    kafka.tombstone("feed.first", "a");
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(
            () -> {
              System.err.println(given().get("/q/health/ready").asString());
              assertEquals(1, tables.find("feed.first").version().size());
              given().get("/q/health/ready").then().statusCode(200);
            });
    System.err.println(
        given().get("/q/metrics").asString().lines().filter(l -> l.contains("tablecast")).toList());
  }
}
