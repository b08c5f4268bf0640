package io.tablecast.testkit;

import java.util.List;

/** Keys that something between a client and the table might take for something else. */
public final class AwkwardKeys {
  private static final List<String> ALL =
      List.of(
          "a/b/c",
          "100%",
          "a%2Fb",
          "ключ 😀",
          "q?x=1&y#z",
          "plus+plus",
          "semi;colon",
          "quo\"te",
          "dot.",
          "a//b",
          "../../..",
          "/",
          "//",
          "a/./b",
          ".",
          "entries/x");

  private AwkwardKeys() {}

  /** For parameterized tests. */
  public static List<String> all() {
    return ALL;
  }
}
