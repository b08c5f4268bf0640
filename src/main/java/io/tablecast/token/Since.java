package io.tablecast.token;

import io.tablecast.table.RecordView;
import java.util.List;

/** Tells which records came after a token. Immutable. */
public final class Since {
  private final List<Token.Position> partitions;

  /** After this token. */
  public Since(Token token) {
    partitions = token.partitions();
  }

  /** Whether a client with this token has to be told of the record. */
  public boolean includes(RecordView r) {
    if (r.contested() || r.partition() >= partitions.size()) {
      return true;
    }
    Token.Position then = partitions.get(r.partition());
    return r.offset() >= (r.expired() ? then.start() : then.next());
  }

  /** The next offset of each partition. */
  public long[] next() {
    return partitions.stream().mapToLong(Token.Position::next).toArray();
  }
}
