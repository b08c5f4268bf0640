package io.tablecast.token;

import io.tablecast.table.Frontier;
import io.tablecast.table.PartitionFrontier;
import io.tablecast.table.TopicId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A position in one table. Immutable.
 *
 * <p>As text: base64url without padding (RFC 4648, section 5) of
 *
 * <pre>
 * byte     version, 1
 * 16 bytes topic id, big endian
 * varint   asOf, ms since the epoch
 * varint   number of partitions
 *   varint   next offset        for each partition
 *   varint   log start offset
 *   varint   leader epoch + 1
 *   varint   seen - next
 * 4 bytes  CRC-32C of all before it, big endian
 * </pre>
 *
 * A varint is 7 bits a byte, least significant first, the high bit set on all but the last.
 *
 * @param topicId the topic; one of the same name that was created later has another id
 * @param asOf the position holds all that was in the log at this time, in ms since the epoch
 * @param partitions indexed by partition
 */
public record Token(TopicId topicId, long asOf, List<Position> partitions) {
  private static final int VERSION = 1;
  private static final int CHECK = 4;

  /**
   * A position in one partition.
   *
   * @param next every record with a smaller offset has been delivered or superseded
   * @param start the log's start offset when the token was made
   * @param leaderEpoch of the record before {@code next}, -1 if unknown
   * @param seen at least {@code next}: records below this offset may have been delivered too, so
   *     that a replica that has not come as far must not answer yet
   */
  public record Position(long next, long start, int leaderEpoch, long seen) {}

  /** Copies the list. */
  public Token {
    partitions = List.copyOf(partitions);
  }

  /** The token of a frontier. */
  public static Token of(Frontier frontier) {
    List<Position> positions = new ArrayList<>(frontier.partitions().size());
    for (PartitionFrontier p : frontier.partitions()) {
      positions.add(new Position(p.next(), p.start(), p.leaderEpoch(), p.next()));
    }
    return new Token(frontier.topicId(), frontier.asOf(), positions);
  }

  /** The token of a frontier, as text. */
  public static String encode(Frontier frontier) {
    return of(frontier).text();
  }

  /**
   * The token of a client that holds everything up to this one and some of what lies between it and
   * the frontier: to be resumed from here, by a replica that has reached the frontier. A partition
   * that this token does not know is seen from its start.
   */
  public Token seenUpTo(Frontier frontier) {
    List<Position> positions = new ArrayList<>(frontier.partitions().size());
    for (int i = 0; i < frontier.partitions().size(); i++) {
      Position p = i < partitions.size() ? partitions.get(i) : new Position(0, 0, -1, 0);
      long seen = Math.max(p.seen(), frontier.partitions().get(i).next());
      positions.add(new Position(p.next(), p.start(), p.leaderEpoch(), seen));
    }
    return new Token(topicId, asOf, positions);
  }

  /** The token as text. */
  public String text() {
    ByteBuffer out = ByteBuffer.allocate(48 + partitions.size() * 35);
    out.put((byte) VERSION).putLong(topicId.high()).putLong(topicId.low());
    putVarint(out, asOf);
    putVarint(out, partitions.size());
    for (Position p : partitions) {
      putVarint(out, p.next());
      putVarint(out, p.start());
      putVarint(out, p.leaderEpoch() + 1L);
      putVarint(out, p.seen() - p.next());
    }
    out.putInt(check(out.array(), out.position()));
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The token of a text; empty when it is none, a damaged one included. Never throws. */
  public static Optional<Token> decode(String text) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // not base64url: not a token
    }
    int body = bytes.length - CHECK;
    if (body < 1
        || bytes[0] != VERSION
        || ByteBuffer.wrap(bytes, body, CHECK).getInt() != check(bytes, body)) {
      return Optional.empty();
    }
    return read(ByteBuffer.wrap(bytes, 1, body - 1));
  }

  private static Optional<Token> read(ByteBuffer in) {
    if (in.remaining() < 2 * Long.BYTES) {
      return Optional.empty();
    }
    TopicId id = new TopicId(in.getLong(), in.getLong());
    long asOf = getVarint(in);
    long count = getVarint(in);
    if (asOf < 0 || count < 0 || count > in.remaining()) {
      return Optional.empty();
    }
    List<Position> positions = new ArrayList<>((int) count);
    for (int i = 0; i < count; i++) {
      long next = getVarint(in);
      long start = getVarint(in);
      long epoch = getVarint(in);
      long seen = getVarint(in);
      if (next < 0 || start < 0 || epoch < 0 || epoch > Integer.MAX_VALUE || seen < 0) {
        return Optional.empty();
      }
      positions.add(new Position(next, start, (int) epoch - 1, Math.max(next, next + seen)));
    }
    return in.hasRemaining() ? Optional.empty() : Optional.of(new Token(id, asOf, positions));
  }

  private static void putVarint(ByteBuffer out, long value) {
    long v = value;
    while (v >= 0x80) {
      out.put((byte) (v | 0x80));
      v >>>= 7;
    }
    out.put((byte) v);
  }

  /** A number of at most 63 bits; -1 when there is none. */
  private static long getVarint(ByteBuffer in) {
    long v = 0;
    for (int shift = 0; shift < 63 && in.hasRemaining(); shift += 7) {
      byte b = in.get();
      v |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return v;
      }
    }
    return -1;
  }

  private static int check(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
