package io.tablecast.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Cuts a JSON text into the source text of its parts, so that a test can compare values as they
 * were written. Strict only as far as cutting needs; {@link Message} has Jackson read the whole
 * besides.
 */
final class JsonSlices {
  private final String text;
  private int at;

  private JsonSlices(String text) {
    this.text = text;
  }

  /** The members of an object, name (without escapes resolved) to source text. */
  static Map<String, String> members(String object) {
    JsonSlices in = new JsonSlices(object);
    Map<String, String> members = new LinkedHashMap<>();
    in.expect('{');
    while (in.peek() != '}') {
      String quoted = in.value();
      in.expect(':');
      String name = quoted.substring(1, quoted.length() - 1);
      if (members.put(name, in.value()) != null) {
        throw new IllegalArgumentException("member " + name + " twice in " + object);
      }
      if (in.peek() == ',') {
        in.at++;
      }
    }
    return members;
  }

  /** The elements of an array as source text. */
  static List<String> elements(String array) {
    JsonSlices in = new JsonSlices(array);
    List<String> elements = new ArrayList<>();
    in.expect('[');
    while (in.peek() != ']') {
      elements.add(in.value());
      if (in.peek() == ',') {
        in.at++;
      }
    }
    return elements;
  }

  private String value() {
    char first = peek();
    int start = at;
    if (first == '"') {
      skipString();
    } else if (first == '{' || first == '[') {
      int depth = 0;
      do {
        char c = peek();
        if (c == '"') {
          skipString();
        } else {
          depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
          at++;
        }
      } while (depth > 0);
    } else {
      while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
        at++;
      }
    }
    return text.substring(start, at);
  }

  private void skipString() {
    for (at++; text.charAt(at) != '"'; at++) {
      if (text.charAt(at) == '\\') {
        at++;
      }
    }
    at++;
  }

  private char peek() {
    while (Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return text.charAt(at);
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw new IllegalArgumentException("no " + wanted + " at " + at + " of " + text);
    }
    at++;
  }
}
