package io.tablecast.config;

import java.util.List;

/** Settings that the service can't start with; the message has a line for each. */
public final class WrongSettingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WrongSettingException(List<String> wrong) {
    super("wrong settings:\n  " + String.join("\n  ", wrong));
  }
}
