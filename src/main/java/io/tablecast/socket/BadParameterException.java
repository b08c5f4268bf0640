package io.tablecast.socket;

/** A parameter of a query string that is wrong; the message names it. */
public final class BadParameterException extends Exception {
  private static final long serialVersionUID = 1;

  /** Names the parameter and says what is wrong with it and what is allowed. */
  public BadParameterException(String parameter, String problem) {
    super("parameter '" + parameter + "': " + problem);
  }
}
