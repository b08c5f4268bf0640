package io.tablecast.load;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The records: keys of 16 bytes, JSON values of a given size that say when they were made. */
final class Data {
  /** The table's name. */
  static final String TOPIC = "load";

  /** Where a value's time begins: after <code>{"t":</code>. */
  private static final String START = "{\"t\":";

  /** Digits of a time. */
  static final int TIME_DIGITS = 16;

  private Data() {}

  static String keyText(long number) {
    return "key:%012d".formatted(number);
  }

  static byte[] key(long number) {
    byte[] key = new byte[16];
    System.arraycopy("key:".getBytes(StandardCharsets.US_ASCII), 0, key, 0, 4);
    digits(number, key, 4, 12);
    return key;
  }

  /** The time in microseconds, of a clock that all processes of the machine share. */
  static long now() {
    return System.nanoTime() / 1000;
  }

  static byte[] value(long time, int size) {
    byte[] value = new byte[size];
    Arrays.fill(value, (byte) 'x');
    byte[] start = START.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(start, 0, value, 0, start.length);
    digits(time, value, start.length, TIME_DIGITS);
    byte[] member = ",\"p\":\"".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(member, 0, value, start.length + TIME_DIGITS, member.length);
    value[size - 2] = '"';
    value[size - 1] = '}';
    return value;
  }

  private static void digits(long number, byte[] to, int at, int count) {
    long rest = number;
    for (int i = at + count - 1; i >= at; i--) {
      // No JSON number starts with 0: the highest digit is set to 1.
      to[i] = (byte) ('0' + (i == at && count == TIME_DIGITS ? 1 : rest % 10));
      rest /= 10;
    }
  }

  /** The time that digits say, which may lack the highest one. */
  static long latency(long digits) {
    long lost = 1_000_000_000_000_000L;
    return (now() % lost) - (digits % lost);
  }
}
