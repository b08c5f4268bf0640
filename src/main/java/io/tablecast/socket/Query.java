package io.tablecast.socket;

import io.tablecast.wire.ClientMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parameters of a query string. Names that nobody asks for are ignored. Immutable. */
public final class Query {
  private record Parameter(String name, String value) {}

  private final List<Parameter> parameters;

  private Query(List<Parameter> parameters) {
    this.parameters = List.copyOf(parameters);
  }

  /**
   * Parses what stands behind the question mark.
   *
   * @param raw as it stands in the request; null when there is none
   * @throws BadParameterException when something is not percent-encoded UTF-8
   */
  public static Query parse(@Nullable String raw) throws BadParameterException {
    List<Parameter> list = new ArrayList<>();
    if (raw != null) {
      for (String part : raw.split("&", -1)) {
        if (!part.isEmpty()) {
          list.add(parameter(part));
        }
      }
    }
    return new Query(list);
  }

  private static Parameter parameter(String part) throws BadParameterException {
    int equals = part.indexOf('=');
    String name = equals < 0 ? part : part.substring(0, equals);
    try {
      String value = equals < 0 ? "" : part.substring(equals + 1);
      return new Parameter(
          Percent.utf8(Percent.decodeQuery(name)), Percent.utf8(Percent.decodeQuery(value)));
    } catch (IllegalArgumentException e) {
      throw new BadParameterException(name, String.valueOf(e.getMessage()));
    }
  }

  /** All values of a parameter, in their order. */
  public List<String> all(String name) {
    return parameters.stream().filter(p -> p.name.equals(name)).map(Parameter::value).toList();
  }

  /** The value of a parameter that may stand once; null when it is absent. */
  public @Nullable String one(String name) throws BadParameterException {
    List<String> values = all(name);
    if (values.size() > 1) {
      throw new BadParameterException(name, "given " + values.size() + " times, allowed once");
    }
    return values.isEmpty() ? null : values.get(0);
  }

  /** A truth value: {@code true} or {@code false}. */
  public boolean flag(String name, boolean absent) throws BadParameterException {
    String value = one(name);
    if (value == null) {
      return absent;
    }
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new BadParameterException(name, quote(value) + " is not true or false");
    };
  }

  /** An integer within bounds, both included. */
  public long integer(String name, long absent, long least, long most)
      throws BadParameterException {
    String value = one(name);
    if (value == null) {
      return absent;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most && value.charAt(0) != '+') {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below, with the bounds
    }
    String bounds =
        most == Long.MAX_VALUE
            ? "an integer from " + least
            : "an integer from " + least + " to " + most;
    throw new BadParameterException(name, quote(value) + " is not " + bounds);
  }

  /**
   * The subscription that the options of {@code /ws/{table}} and {@code /tables/{table}/stream}
   * describe; its id is the table's name.
   */
  public ClientMessage.Subscribe subscription(
      String table, @Nullable String resume, boolean lenient) throws BadParameterException {
    return new ClientMessage.Subscribe(
        table,
        table,
        all("key"),
        all("prefix"),
        resume,
        lenient,
        flag("snapshot", true),
        integer("interval", 0, 0, Long.MAX_VALUE),
        flag("meta", false));
  }

  private static String quote(String value) {
    return '\'' + (value.length() > 40 ? value.substring(0, 40) + "…" : value) + '\'';
  }
}
