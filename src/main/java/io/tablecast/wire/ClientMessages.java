package io.tablecast.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses what clients send: strict in types, since a wrong filter that is let pass would be a
 * silent gap.
 */
public final class ClientMessages {
  /** Longest id, in characters (code points). */
  public static final int MAX_ID = 64;

  private static final JsonFactory JSON = new JsonFactory();

  private @Nullable String type;
  private @Nullable String id;
  private @Nullable String table;
  private List<String> keys = List.of();
  private List<String> prefixes = List.of();
  private @Nullable String resume;
  private boolean snapshot = true;
  private long interval;
  private boolean meta;
  private @Nullable String wrong;

  private ClientMessages() {}

  /**
   * Parses one text message.
   *
   * @throws BadMessageException when it is not a message of the protocol
   */
  public static ClientMessage parse(String text) throws BadMessageException {
    ClientMessages m = new ClientMessages();
    try (JsonParser in = JSON.createParser(text)) {
      m.object(in);
    } catch (JsonProcessingException e) {
      throw new BadMessageException(m.id, "the message is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a String does not fail to be read
    }
    return m.message();
  }

  private void object(JsonParser in) throws IOException, BadMessageException {
    if (in.nextToken() != JsonToken.START_OBJECT) {
      throw new BadMessageException(null, "a message is a JSON object");
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = in.currentName();
      in.nextToken();
      member(name, in);
    }
    if (in.nextToken() != null) {
      throw new BadMessageException(id, "something follows the message's object");
    }
  }

  private void member(String name, JsonParser in) throws IOException {
    switch (name) {
      case "type" -> type = text(name, in);
      case "id" -> id = text(name, in);
      case "table" -> table = text(name, in);
      case "keys" -> keys = texts(name, in);
      case "prefixes" -> prefixes = texts(name, in);
      case "resume" -> resume = in.currentToken() == JsonToken.VALUE_NULL ? null : text(name, in);
      case "snapshot" -> snapshot = bool(name, in, true);
      case "meta" -> meta = bool(name, in, false);
      case "interval" -> interval = number(name, in);
      default -> in.skipChildren();
    }
  }

  private ClientMessage message() throws BadMessageException {
    if (wrong != null) {
      throw bad(wrong);
    }
    if (type == null) {
      throw bad("'type' is missing: subscribe, unsubscribe or ping");
    }
    return switch (type) {
      case "subscribe" -> subscribe();
      case "unsubscribe" -> new ClientMessage.Unsubscribe(requiredId());
      case "ping" -> new ClientMessage.Ping();
      default ->
          throw bad("'type' is " + quote(type) + ": it must be subscribe, unsubscribe or ping");
    };
  }

  private ClientMessage subscribe() throws BadMessageException {
    String open = requiredId();
    if (table == null) {
      throw bad("'table' is missing");
    }
    if (interval < 0) {
      throw bad("'interval' is " + interval + ": it must not be negative");
    }
    return new ClientMessage.Subscribe(
        open, table, keys, prefixes, resume, false, snapshot, interval, meta);
  }

  private String requiredId() throws BadMessageException {
    if (id == null) {
      throw bad("'id' is missing");
    }
    int length = id.codePointCount(0, id.length());
    if (length < 1 || length > MAX_ID) {
      throw bad("'id' has " + length + " characters: it must have 1 to " + MAX_ID);
    }
    if (!encodable(id)) {
      throw bad("'id' is not well-formed Unicode");
    }
    return id;
  }

  private BadMessageException bad(String message) {
    return new BadMessageException(id, message);
  }

  private @Nullable String text(String name, JsonParser in) throws IOException {
    if (in.currentToken() == JsonToken.VALUE_STRING) {
      return in.getText();
    }
    return wrong(name, in, "a string");
  }

  private List<String> texts(String name, JsonParser in) throws IOException {
    List<String> list = new ArrayList<>();
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return list;
    }
    if (in.currentToken() != JsonToken.START_ARRAY) {
      wrong(name, in, "a list of strings");
      return list;
    }
    while (in.nextToken() != JsonToken.END_ARRAY) {
      String element = in.currentToken() == JsonToken.VALUE_STRING ? in.getText() : null;
      if (element == null || !encodable(element)) {
        wrong(name, in, "a list of strings of well-formed Unicode");
      } else {
        list.add(element);
      }
    }
    return list;
  }

  private boolean bool(String name, JsonParser in, boolean absent) throws IOException {
    switch (in.currentToken()) {
      case VALUE_TRUE, VALUE_FALSE -> {
        return in.currentToken() == JsonToken.VALUE_TRUE;
      }
      case VALUE_NULL -> {
        return absent;
      }
      default -> {
        wrong(name, in, "true or false");
        return absent;
      }
    }
  }

  private long number(String name, JsonParser in) throws IOException {
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return 0;
    }
    boolean fits =
        in.currentToken() == JsonToken.VALUE_NUMBER_INT
            && in.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
    if (!fits) {
      wrong(name, in, "a whole number of milliseconds");
      return 0;
    }
    return in.getLongValue();
  }

  /**
   * Notes the first member at fault and reads past it: an id that comes later still names the
   * request.
   */
  private @Nullable String wrong(String name, JsonParser in, String expected) throws IOException {
    if (wrong == null) {
      wrong = "'" + name + "' must be " + expected;
    }
    in.skipChildren();
    return null;
  }

  /**
   * Whether the text can be encoded: a lone surrogate can't, and would be taken for another
   * character.
   */
  public static boolean encodable(String text) {
    try {
      StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static String quote(String text) {
    return "'" + (text.length() > 40 ? text.substring(0, 40) + "…" : text) + "'";
  }
}
