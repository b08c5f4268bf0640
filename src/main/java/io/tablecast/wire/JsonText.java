package io.tablecast.wire;

import java.util.BitSet;

/**
 * Tells whether bytes are one JSON text (RFC 8259) in well-formed UTF-8. Nothing is built and
 * nothing recurses: the value is passed on as it is, whatever its numbers' digits, duplicate
 * members or depth.
 */
final class JsonText {
  private final byte[] array;
  private final int end;
  private int at;

  private JsonText(byte[] array, int offset, int length) {
    this.array = array;
    at = offset;
    end = offset + length;
  }

  /** Whether the bytes are a JSON text, white space around it allowed. */
  static boolean isJson(byte[] array, int offset, int length) {
    return new JsonText(array, offset, length).text();
  }

  /** The first byte that is not JSON's white space. */
  static int trimStart(byte[] array, int offset, int end) {
    int i = offset;
    while (i < end && isSpace(array[i])) {
      i++;
    }
    return i;
  }

  /** Behind the last byte that is not JSON's white space. */
  static int trimEnd(byte[] array, int offset, int end) {
    int i = end;
    while (i > offset && isSpace(array[i - 1])) {
      i--;
    }
    return i;
  }

  private boolean text() {
    BitSet objects = new BitSet();
    int depth = 0;
    while (true) {
      // a value is due here
      space();
      if (at >= end) {
        return false;
      }
      byte b = array[at];
      if (b == '{' || b == '[') {
        boolean object = b == '{';
        at++;
        space();
        if (at < end && array[at] == (object ? '}' : ']')) {
          at++;
        } else {
          objects.set(depth++, object);
          if (object && !name()) {
            return false;
          }
          continue;
        }
      } else if (!scalar(b)) {
        return false;
      }
      // a value has ended: close what it was the last of, or go on to the next
      while (true) {
        space();
        if (depth == 0) {
          return at == end;
        }
        if (at >= end) {
          return false;
        }
        byte next = array[at++];
        boolean object = objects.get(depth - 1);
        if (next == ',') {
          space();
          if (object && !name()) {
            return false;
          }
          break;
        }
        if (next != (object ? '}' : ']')) {
          return false;
        }
        depth--;
      }
    }
  }

  private boolean name() {
    if (at >= end || array[at] != '"' || !string()) {
      return false;
    }
    space();
    return at < end && array[at++] == ':';
  }

  private boolean scalar(byte b) {
    return switch (b) {
      case '"' -> string();
      case 't' -> word("true");
      case 'f' -> word("false");
      case 'n' -> word("null");
      default -> numeral();
    };
  }

  private boolean word(String word) {
    if (end - at < word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (array[at + i] != word.charAt(i)) {
        return false;
      }
    }
    at += word.length();
    return true;
  }

  private boolean numeral() {
    if (at < end && array[at] == '-') {
      at++;
    }
    if (at < end && array[at] == '0') {
      at++;
    } else if (!digits()) {
      return false;
    }
    if (at < end && array[at] == '.') {
      at++;
      if (!digits()) {
        return false;
      }
    }
    if (at < end && (array[at] == 'e' || array[at] == 'E')) {
      at++;
      if (at < end && (array[at] == '+' || array[at] == '-')) {
        at++;
      }
      return digits();
    }
    return true;
  }

  private boolean digits() {
    int from = at;
    while (at < end && array[at] >= '0' && array[at] <= '9') {
      at++;
    }
    return at > from;
  }

  private boolean string() {
    at++;
    while (at < end) {
      byte b = array[at];
      if (b == '"') {
        at++;
        return true;
      }
      int bytes = b == '\\' ? escape() : b < 0 ? Utf8.sequence(array, at, end) : b < 0x20 ? 0 : 1;
      if (bytes == 0) {
        return false;
      }
      at += bytes;
    }
    return false;
  }

  /** Bytes of the escape that starts here, 0 if there is none. */
  private int escape() {
    if (end - at < 2) {
      return 0;
    }
    byte b = array[at + 1];
    if (b != 'u') {
      return "\"\\/bfnrt".indexOf(b) >= 0 ? 2 : 0;
    }
    if (end - at < 6) {
      return 0;
    }
    for (int i = 2; i < 6; i++) {
      if (Character.digit(array[at + i], 16) < 0) {
        return 0;
      }
    }
    return 6;
  }

  private void space() {
    at = trimStart(array, at, end);
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }
}
