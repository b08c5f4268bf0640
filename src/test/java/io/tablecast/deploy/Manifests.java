package io.tablecast.deploy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads manifests into the model of the Kubernetes API, and refuses what the API does not know. */
final class Manifests {
  static final Path DIRECTORY = Path.of("src/main/kubernetes");

  private static final YAMLMapper YAML = new YAMLMapper();
  private static final ObjectMapper STRICT =
      YAMLMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .annotationIntrospector(new NoRoomForUnknownFields())
          .build();

  /** The model's classes keep unknown fields in a map of their own: here they have none. */
  private static final class NoRoomForUnknownFields extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public Boolean hasAnySetter(Annotated member) {
      return false;
    }

    @Override
    public Boolean hasAnyGetter(Annotated member) {
      return false;
    }

    @Override
    public boolean hasIgnoreMarker(AnnotatedMember member) {
      return member.getName().contains("dditionalProperties") || super.hasIgnoreMarker(member);
    }

    @Override
    public JsonIgnoreProperties.Value findPropertyIgnoralByName(
        MapperConfig<?> config, Annotated type) {
      return JsonIgnoreProperties.Value.empty();
    }
  }

  private Manifests() {}

  /** The documents of a file. */
  static List<JsonNode> documents(String file) throws IOException {
    List<JsonNode> documents = new ArrayList<>();
    try (var in = Files.newBufferedReader(DIRECTORY.resolve(file));
        MappingIterator<JsonNode> all = YAML.readerFor(JsonNode.class).readValues(in)) {
      all.forEachRemaining(documents::add);
    }
    return documents;
  }

  /**
   * Reads a document as this class of the model.
   *
   * @throws com.fasterxml.jackson.databind.JsonMappingException for a field that the API does not
   *     know, or a value of a wrong type
   */
  static <T> T as(Class<T> type, JsonNode document) throws IOException {
    return STRICT.treeToValue(document, type);
  }

  /**
   * Validates a document as this kind of the Kubernetes project's own client, which is made from
   * the API's OpenAPI document.
   *
   * @throws java.lang.reflect.InvocationTargetException because of a field that is not known, is
   *     missing or has a value of a wrong type
   */
  static void validate(Class<?> kind, JsonNode document) throws ReflectiveOperationException {
    new JSON(); // registers what the validation needs
    kind.getMethod("validateJsonElement", JsonElement.class)
        .invoke(null, JsonParser.parseString(document.toString()));
  }
}
