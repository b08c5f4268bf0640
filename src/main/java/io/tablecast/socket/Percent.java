package io.tablecast.socket;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Percent-encoding of URIs (RFC 3986), decoded to bytes: keys are bytes, and nothing on their way
 * may collapse a slash or take a plus for a space.
 */
public final class Percent {
  private Percent() {}

  /**
   * The bytes of a path segment or of a whole path.
   *
   * @param text as it stands in the request; characters above 127 are bytes that the client did not
   *     encode
   * @throws IllegalArgumentException when a percent sign is not followed by two hexadecimal digits
   */
  public static byte[] decodePath(String text) {
    return decode(text, false);
  }

  /**
   * The bytes of a name or value in a query string, where a plus is a space; throws as {@link
   * #decodePath}.
   */
  public static byte[] decodeQuery(String text) {
    return decode(text, true);
  }

  /**
   * Bytes as text.
   *
   * @throws IllegalArgumentException when they are not UTF-8
   */
  public static String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("not valid UTF-8 when percent-decoded", e);
    }
  }

  private static byte[] decode(String text, boolean plusIsSpace) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        out.write(octet(text, i));
        i += 2;
      } else if (c == '+' && plusIsSpace) {
        out.write(' ');
      } else if (c < 256) {
        out.write(c);
      } else {
        throw new IllegalArgumentException("a character that is not percent-encoded");
      }
    }
    return out.toByteArray();
  }

  private static int octet(String text, int at) {
    int high = at + 2 < text.length() ? Character.digit(text.charAt(at + 1), 16) : -1;
    int low = at + 2 < text.length() ? Character.digit(text.charAt(at + 2), 16) : -1;
    if (high < 0 || low < 0) {
      throw new IllegalArgumentException(
          "a percent sign that two hexadecimal digits don't follow (a literal one is %25)");
    }
    return high << 4 | low;
  }
}
