package io.tablecast.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A message from the server.
 *
 * @param text as it came
 * @param json the same, parsed
 */
public record Message(String text, JsonNode json) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Parses a text message. */
  public static Message parse(String text) {
    try {
      return new Message(text, MAPPER.readTree(text));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + text, e);
    }
  }

  /** The member {@code type}. */
  public String type() {
    return json.path("type").asText();
  }

  /** The member {@code id}; empty if absent. */
  public String id() {
    return json.path("id").asText();
  }

  /** The changes of a {@code changes} message. */
  public List<Change> changes() {
    String changes = JsonSlices.members(text).get("changes");
    if (changes == null) {
      throw new IllegalArgumentException("no changes in " + text);
    }
    return JsonSlices.elements(changes).stream().map(Change::parse).toList();
  }

  @Override
  public String toString() {
    return text;
  }

  /**
   * One change.
   *
   * @param key the bytes of the record's key
   * @param value the bytes of its value as they were produced; null for a delete
   * @param source the change as it came
   * @param json the same, parsed
   */
  public record Change(Bytes key, @Nullable Bytes value, String source, JsonNode json) {
    static Change parse(String source) {
      Map<String, String> members = JsonSlices.members(source);
      JsonNode json = Message.parse(source).json();
      String op = json.path("op").asText();
      String value = members.get("value");
      if (op.equals("delete") != (value == null) || !(op.equals("put") || op.equals("delete"))) {
        throw new IllegalArgumentException("op and value do not fit: " + source);
      }
      return new Change(
          decode(json.get("key"), json.path("keyEncoding").asText()),
          value == null ? null : value(value, json),
          source,
          json);
    }

    private static Bytes value(String source, JsonNode json) {
      String encoding = json.path("encoding").asText();
      return encoding.isEmpty() ? utf8(source) : decode(json.get("value"), encoding);
    }

    private static Bytes decode(JsonNode string, String encoding) {
      if (encoding.equals("base64")) {
        return Bytes.wrap(Base64.getDecoder().decode(string.textValue()));
      }
      if (!encoding.isEmpty() && !encoding.equals("text")) {
        throw new IllegalArgumentException("unknown encoding " + encoding);
      }
      return utf8(string.textValue());
    }

    private static Bytes utf8(String text) {
      return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
