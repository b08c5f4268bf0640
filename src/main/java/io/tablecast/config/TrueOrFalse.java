package io.tablecast.config;

import org.eclipse.microprofile.config.spi.Converter;

/**
 * Reads true or false, and nothing else: the usual converter takes whatever it doesn't know for
 * false.
 */
public final class TrueOrFalse implements Converter<Boolean> {
  private static final long serialVersionUID = 1L;

  @Override
  public Boolean convert(String value) {
    return switch (value.trim()) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException("\"" + value + "\": true and false are allowed");
    };
  }
}
