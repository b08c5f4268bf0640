package io.tablecast.http;

import io.tablecast.table.RecordView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A key as a slice of the table's log, ordered as unsigned bytes. */
@SuppressWarnings("ArrayRecordComponent") // equality is that of the bytes, below
record Key(byte[] array, int offset, int length) implements Comparable<Key> {
  static Key of(RecordView record) {
    return new Key(record.array(), record.keyOffset(), record.keyLength());
  }

  static Key of(byte[] bytes) {
    return new Key(bytes, 0, bytes.length);
  }

  /** Whether a record's key begins with these bytes. */
  static boolean startsWith(RecordView record, byte[] prefix) {
    int from = record.keyOffset();
    return record.keyLength() >= prefix.length
        && Arrays.equals(record.array(), from, from + prefix.length, prefix, 0, prefix.length);
  }

  byte[] bytes() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  @Override
  public int compareTo(Key other) {
    return Arrays.compareUnsigned(
        array, offset, offset + length, other.array, other.offset, other.offset + other.length);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Key key && compareTo(key) == 0;
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + array[i];
    }
    return hash;
  }
}
