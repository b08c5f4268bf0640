package io.tablecast.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntityTagTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "\"1-2-a\" | true",
        "W/\"1-2-a\" | true",
        "\"x\", \"1-2-a\" | true",
        "\"x\",W/\"1-2-a\",\"y\" | true",
        "\"a,b\", \"1-2-a\" | true",
        "* | true",
        "\"1-2-b\" | false",
        "\"x1-2-a\" | false",
        "1-2-a | false",
        "\"*\" | false",
      })
  void ifNoneMatchIsAListComparedWeakly(String header, boolean named) {
    assertEquals(named, EntityTag.noneMatchNames(header, "\"1-2-a\""));
  }
}
