package io.tablecast.fanout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A slice of bytes as a map's key. The hash is a running one, so that the hashes of all prefixes of
 * a key come from one pass; comparable, so that keys chosen to collide cost a map a tree and not a
 * list (their hash is predictable).
 */
final class Bytes implements Comparable<Bytes> {
  private byte[] array;
  private int offset;
  private int length;
  private int hash;

  private Bytes(byte[] array, int offset, int length, int hash) {
    this.array = array;
    this.offset = offset;
    this.length = length;
    this.hash = hash;
  }

  static Bytes of(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    int hash = 0;
    for (byte b : utf8) {
      hash = step(hash, b);
    }
    return new Bytes(utf8, 0, utf8.length, hash);
  }

  /** A probe to be {@linkplain #set set} before each look-up; never to be kept in a map. */
  static Bytes probe() {
    return new Bytes(new byte[0], 0, 0, 0);
  }

  static int step(int hash, byte b) {
    return hash * 31 + b;
  }

  Bytes set(byte[] toArray, int toOffset, int toLength, int toHash) {
    array = toArray;
    offset = toOffset;
    length = toLength;
    hash = toHash;
    return this;
  }

  int length() {
    return length;
  }

  byte[] toByteArray() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  boolean startsWith(Bytes prefix) {
    return length >= prefix.length
        && Arrays.equals(
            array,
            offset,
            offset + prefix.length,
            prefix.array,
            prefix.offset,
            prefix.offset + prefix.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes b
        && hash == b.hash
        && Arrays.equals(array, offset, offset + length, b.array, b.offset, b.offset + b.length);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public int compareTo(Bytes b) {
    return Arrays.compareUnsigned(
        array, offset, offset + length, b.array, b.offset, b.offset + b.length);
  }
}
