package io.tablecast.http;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyArray;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.tablecast.testkit.KafkaTables;
import io.tablecast.testkit.TestKafka;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@QuarkusTest
@WithTestResource(
    value = TablesHttpTest.Filled.class,
    initArgs = @ResourceArg(name = "topics", value = "http:3,http-pages:2,http-missing:0"))
class TablesHttpTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final long TIME = 1_700_000_000_123L;
  private static final String JSON = " {\"n\": 1.0, \"n\": 12345678901234567890}\n";

  @TestHTTPResource URI base;

  /** The topics as they are before the application starts. */
  public static final class Filled extends KafkaTables {
    @Override
    protected void prepare(TestKafka kafka) {
      kafka.send(record(0, TIME, bytes("json"), bytes(JSON)));
      kafka.send(record(0, TIME, bytes("text"), bytes("not json é")));
      kafka.send(record(0, TIME, bytes("binary"), new byte[] {0, (byte) 0xff, 10}));
      kafka.send(record(0, TIME, bytes("empty value"), new byte[0]));
      kafka.send(record(1, TIME, new byte[] {(byte) 0xfe}, bytes("\"binary key\"")));
      kafka.send(record(1, TIME, new byte[0], bytes("\"empty key\"")));
      kafka.put("http", "gone", "1");
      kafka.tombstone("http", "gone");
      for (int i = 0; i < 25; i++) {
        kafka.put("http-pages", "k" + i, "{\"v\":\r\n " + i + "}");
      }
      kafka.put("http-pages", "p/1", "1");
    }

    private static ProducerRecord<byte[], byte[]> record(
        int partition, long time, byte[] key, byte[] value) {
      return new ProducerRecord<>("http", partition, time, key, value);
    }
  }

  @BeforeEach
  void tablesHaveCaughtUp() {
    for (String table : List.of("http", "http-pages")) {
      await().atMost(PATIENCE).until(() -> get("/tables/" + table).jsonPath().getBoolean("ready"));
    }
  }

  @Test
  void tablesAreListed() {
    get("/tables").then().contentType("application/json").body("name", hasItem("http-pages"));
    get("/tables/http-pages")
        .then()
        .statusCode(200)
        .body("name", is("http-pages"))
        .body("size", is(26))
        .body("partitions", is(2))
        .body("ready", is(true))
        .body("lag", is(0))
        .body("token", notNullValue())
        .body("warnings", notNullValue());
  }

  @Test
  void aTableThatHasNotCaughtUpShowsNothing() {
    get("/tables/http-missing")
        .then()
        .statusCode(200)
        .body("ready", is(false))
        .body("token", nullValue());
    for (String path : List.of("/entries/k", "/entries", "/entries?limit=5")) {
      problem(get("/tables/http-missing" + path), 503);
      get("/tables/http-missing" + path).then().header("Retry-After", not(emptyArray()));
    }
    problem(given().accept("application/x-ndjson").get("/tables/http-missing/entries"), 503);
  }

  @Test
  void valuesComeAsTheyWereProduced() {
    assertValue("json", "application/json", bytes(JSON));
    assertValue("text", "text/plain;charset=UTF-8", bytes("not json é"));
    assertValue("binary", "application/octet-stream", new byte[] {0, (byte) 0xff, 10});
    assertValue("empty%20value", "text/plain;charset=UTF-8", new byte[0]);
    assertValue("", "application/json", bytes("\"empty key\""));
    assertValue("%FE", "application/json", bytes("\"binary key\""));
    assertValue("_g?keyEncoding=base64", "application/json", bytes("\"binary key\""));
    assertValue("_g%3D%3D?keyEncoding=base64", "application/json", bytes("\"binary key\""));
  }

  @ParameterizedTest
  @MethodSource("io.tablecast.testkit.AwkwardKeys#all")
  void anyKeyIsFound(String key) {
    TestKafka.shared().put("http", key, "\"value\"");
    String encoded = URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertValue(encoded, "application/json", bytes("\"value\"")));
    String base64 = Base64.getUrlEncoder().encodeToString(bytes(key)).replace("=", "%3D");
    assertValue(base64 + "?keyEncoding=base64", "application/json", bytes("\"value\""));
  }

  @Test
  void slashesOfAKeyMayStandAsTheyAre() throws IOException {
    TestKafka.shared().put("http", "x//y/../z", "\"value\"");
    await()
        .atMost(PATIENCE)
        .until(() -> raw("/tables/http/entries/x//y/../z").startsWith("HTTP/1.1 200"));
    TestKafka.shared().put("http", "é", "\"value\"");
    await().atMost(PATIENCE).until(() -> raw("/tables/http/entries/é").startsWith("HTTP/1.1 200"));
  }

  @Test
  void aPercentSignThatNothingFollowsIsRefused() throws IOException {
    // By Quarkus, before any route: without a problem in the body.
    String answer = raw("/tables/http/entries/100%");
    assertTrue(answer.startsWith("HTTP/1.1 400"), answer);
  }

  @Test
  void tagsNameTheRecordAndDatesItsTime() {
    Response response = plain().get("/tables/http/entries/json");
    String tag = response.header("ETag");
    assertTrue(tag.matches("\"[^\"]+\""), tag);
    assertEquals("Tue, 14 Nov 2023 22:13:20 GMT", response.header("Last-Modified"));
    for (String condition : List.of(tag, "W/" + tag, "\"other\", " + tag, "*")) {
      given()
          .header("If-None-Match", condition)
          .get("/tables/http/entries/json")
          .then()
          .statusCode(304)
          .header("ETag", tag)
          .body(is(""));
    }
    given()
        .header("If-None-Match", "\"other\"")
        .get("/tables/http/entries/json")
        .then()
        .statusCode(200);
  }

  @Test
  void theSameValueAgainIsAnotherRecord() {
    TestKafka.shared().put("http", "again", "1");
    await().atMost(PATIENCE).until(() -> get("/tables/http/entries/again").statusCode() == 200);
    String tag = get("/tables/http/entries/again").header("ETag");
    TestKafka.shared().put("http", "again", "1");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertNotEquals(tag, get("/tables/http/entries/again").header("ETag")));
  }

  @Test
  void headAnswersWithoutABody() {
    for (String path :
        List.of("/tables", "/tables/http", "/tables/http/entries/json", "/tables/http/entries")) {
      String length = get(path).header("Content-Length");
      given().head(path).then().statusCode(200).header("Content-Length", length).body(is(""));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/tables/no-such-table, 404, no-such-table",
    "/tables/no-such-table/entries, 404, no-such-table",
    "/tables/no-such-table/entries/k, 404, no-such-table",
    "/tables/no-such-table/stream, 404, no-such-table",
    "/tables/http/entries/gone, 404, no such key",
    "/tables/http/entries/never, 404, no such key",
    "/tables/http/other, 404, ''",
    "/tables/http/entries/k?keyEncoding=hex, 400, '''keyEncoding'''",
    "/tables/http/entries/!?keyEncoding=base64, 400, '''key'''",
    "/tables/http/entries?limit=0, 400, '''limit'''",
    "/tables/http/entries?limit=10001, 400, '''limit'''",
    "/tables/http/entries?limit=x, 400, '''limit'''",
    "/tables/http/entries?after=x, 400, '''after'''",
    "/tables/http/entries?prefix=%ff, 400, '''prefix'''",
    "/tables/http/stream?meta=1, 400, '''meta'''",
    "/tables/http/stream?resume=x, 400, '''resume'''",
  })
  void errorsAreProblems(String path, int status, String named) {
    problem(plain().get(path), status).then().body("detail", containsString(named));
  }

  @Test
  void otherMethodsAreNotAllowed() {
    problem(given().post("/tables/http/entries"), 405);
    problem(given().delete("/tables/http/entries/json"), 405);
    assertEquals("GET, HEAD", given().put("/tables").header("Allow"));
    problem(given().get("/ws"), 426);
  }

  @Test
  void pagesHoldEveryEntryOnceInTheOrderOfTheKeys() {
    List<String> keys = new ArrayList<>();
    String next = null;
    do {
      RequestSpecification request = given().queryParam("limit", 7);
      Response page =
          (next == null ? request : request.queryParam("after", next))
              .get("/tables/http-pages/entries");
      List<String> some = page.jsonPath().getList("entries.key");
      assertTrue(some.size() <= 7);
      keys.addAll(some);
      next = page.jsonPath().getString("next");
    } while (next != null);
    assertEquals(26, keys.size());
    assertEquals(keys.stream().sorted().toList(), keys);
    plain()
        .get("/tables/http-pages/entries?prefix=p%2F")
        .then()
        .body("entries.key", is(List.of("p/1")))
        .body("next", nullValue());
  }

  @Test
  void linesHoldEveryEntryOnALine() {
    Response response = given().accept("application/x-ndjson").get("/tables/http-pages/entries");
    assertEquals("application/x-ndjson", response.contentType());
    List<String> lines = response.asString().lines().toList();
    assertEquals(26, lines.size());
    assertTrue(lines.contains("{\"key\":\"k3\",\"value\":{\"v\":   3}}"), lines.toString());
    assertEquals(
        "{\"key\":\"p/1\",\"value\":1}\n",
        plain()
            .accept("application/x-ndjson")
            .get("/tables/http-pages/entries?prefix=p%2F")
            .asString());
  }

  @Test
  void openApiHasEveryPath() {
    String document = given().accept("application/json").get("/q/openapi?format=json").asString();
    for (String path :
        List.of("", "/{table}", "/{table}/entries", "/{table}/entries/{key}", "/{table}/stream")) {
      assertTrue(document.contains("\"/tables" + path + "\""), path);
    }
  }

  private static Response problem(Response response, int status) {
    response
        .then()
        .statusCode(status)
        .contentType("application/problem+json")
        .body("type", equalTo("about:blank"))
        .body("status", is(status))
        .body("title", notNullValue())
        .body("instance", notNullValue());
    return response;
  }

  private void assertValue(String path, String type, byte[] value) {
    Response response = plain().get("/tables/http/entries/" + path);
    assertEquals(200, response.statusCode(), path);
    assertEquals(type, response.contentType());
    assertArrayEquals(value, response.asByteArray(), path);
  }

  /** RestAssured would encode what is encoded. */
  private static RequestSpecification plain() {
    return given().urlEncodingEnabled(false);
  }

  /** The answer to a request target that no client library would send. */
  private String raw(String target) throws IOException {
    try (Socket socket = new Socket(base.getHost(), base.getPort())) {
      String request = "GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(bytes(request));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
