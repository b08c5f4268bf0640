package io.tablecast.table;

import java.util.Arrays;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The writing side of a table; confined to one thread. Nothing is visible to readers before {@link
 * #publish}, except through {@link Table#find} and {@link Table#get}.
 */
public final class TableWriter {
  /** Keys that it is worth to {@linkplain #lookAhead look ahead} for. */
  public static final int LOOK_AHEAD = LookAhead.MOST;

  private static final Segment NO_SEGMENT = new Segment(0, 0, 0, 0);

  private final Table table;
  private final Log log;
  private final KeyIndex index;
  private final KeyHash hashes;
  private final Cleaner cleaner;
  private final DroppedMarks dropped;
  private final Forgotten forgotten;
  private final ContestedKeys contested = new ContestedKeys();
  private final Deaths deaths = new Deaths();
  private final KeyIndex.Records records = this::locate;
  private final LookAhead ahead;

  /** The newest record of the key at hand, and its segment. */
  private final RecordView current = new RecordView();

  private Segment currentSegment = NO_SEGMENT;

  /** Where each partition's log is known to start; 0 beyond the array. */
  private long[] starts = {};

  private @Nullable Thread owner;
  private int size;
  private int incarnation;

  /** What {@link #expect} was told last. */
  private long done;

  private long toCome;
  private long publications;
  private long publishedEnd;

  TableWriter(
      Table table,
      Log log,
      KeyIndex index,
      KeyHash hashes,
      Cleaner cleaner,
      DroppedMarks dropped,
      Forgotten forgotten) {
    this.table = table;
    this.log = log;
    this.index = index;
    this.hashes = hashes;
    this.cleaner = cleaner;
    this.dropped = dropped;
    this.forgotten = forgotten;
    this.ahead = new LookAhead(index, hashes);
  }

  /**
   * The key of a record that will be applied soon, after those of the earlier calls: it will be
   * found faster. To be called for up to {@value #LOOK_AHEAD} keys in a row, then for none until
   * these are applied. Changes nothing but speed, whatever is applied.
   */
  public void lookAhead(byte[] key) {
    assert owned();
    ahead.add(key);
  }

  /**
   * How much of the log has been applied, and how much is to come until the table has caught up; in
   * any unit, such as offsets. While something is to come, the index makes room in few large steps;
   * then it gives back what was too much.
   *
   * @param toCome 0 when the table has caught up, or nothing is known
   */
  public void expect(long done, long toCome) {
    assert owned();
    this.done = done;
    this.toCome = toCome;
    if (toCome == 0 && index.isLavish()) {
      index.rebuild(log.segments(), hashes, forgotten, 0);
    }
  }

  /**
   * Applies one record. Within a partition the later offset wins. Where several partitions hold the
   * key, the one whose newest record has the higher timestamp wins, at a tie the higher partition;
   * such a key is {@linkplain #contested() counted}.
   *
   * @param timestamp ms since the epoch; -1 for none
   * @param value null for a tombstone
   */
  public void apply(
      int partition, long offset, long timestamp, byte[] key, byte @Nullable [] value) {
    assert owned();
    long hash = ahead.hash(key);
    Candidates candidates = contested.find(key, hash);
    if (candidates != null) {
      contest(candidates, hash, new Candidate(partition, offset, timestamp, copy(value)));
      return;
    }
    log.makeRoom(key.length, value == null ? 0 : value.length);
    int position = index.position(key, hash, records, current);
    if (position >= 0 && current.partition() != partition && inLog(current)) {
      candidates = contested.add(key, hash);
      candidates.put(currentAsCandidate());
      currentSegment.contest(current);
      contest(candidates, hash, new Candidate(partition, offset, timestamp, copy(value)));
      return;
    }
    int flags = position >= 0 && wasElsewhere(partition) ? RecordFormat.CONTESTED : 0;
    write(position, hash, flags, partition, offset, timestamp, key, value);
  }

  /**
   * Whether the key has been in another partition, even if its record there is gone from the topic:
   * another replica may have seen the two in another order.
   */
  private boolean wasElsewhere(int partition) {
    return current.partition() != partition || current.contested();
  }

  /** Whether a record of the key is in the log, published or not, deletions included. */
  boolean remembers(byte[] key) {
    return index.position(key, hashes.of(key), records, current) >= 0;
  }

  /** Whether the topic may still hold the record: that is, a new reader would see it. */
  private boolean inLog(RecordView record) {
    return !record.expired()
        && (record.partition() >= starts.length || record.offset() >= starts[record.partition()]);
  }

  private static byte @Nullable [] copy(byte @Nullable [] value) {
    return value == null ? null : value.clone();
  }

  private Candidate currentAsCandidate() {
    return new Candidate(
        current.partition(),
        current.offset(),
        current.timestamp(),
        current.deletion() ? null : current.copyValue());
  }

  @SuppressWarnings("ReferenceEquality") // whether it is the very same one
  private void contest(Candidates candidates, long hash, Candidate added) {
    Candidate before = candidates.winner();
    candidates.put(added);
    Candidate winner = candidates.winner();
    if (winner != null && winner != before) {
      write(candidates.key(), hash, winner);
    }
  }

  private void write(byte[] key, long hash, Candidate winner) {
    byte[] value = winner.value();
    log.makeRoom(key.length, value == null ? 0 : value.length);
    int position = index.position(key, hash, records, current);
    write(
        position,
        hash,
        RecordFormat.CONTESTED,
        winner.partition(),
        winner.offset(),
        winner.timestamp(),
        key,
        value);
  }

  /**
   * @param position where the key is in the index, with its record in {@link #current}; or negative
   */
  private void write(
      int position,
      long hash,
      int flags,
      int partition,
      long offset,
      long timestamp,
      byte[] key,
      byte @Nullable [] value) {
    int all = value == null ? flags | RecordFormat.DELETION : flags;
    supersede(position, hash, log.append(all, partition, offset, timestamp, key, value));
    if (value != null) {
      size++;
    }
  }

  /** Puts the record that was just appended in the place of the current one, if there is one. */
  private void supersede(int position, long hash, long sequence) {
    if (position >= 0) {
      killCurrent();
      index.replace(position, hash, sequence);
    } else if (index.isFull()) {
      index.rebuild(log.segments(), hashes, forgotten, expectedKeys());
    } else {
      index.insert(hash, sequence);
    }
  }

  /** What is to come will have as many new keys as what has come. */
  private long expectedKeys() {
    return (long) (index.size() * (1 + (double) toCome / Math.max(1, done)));
  }

  private void killCurrent() {
    boolean published = current.sequence() <= publishedEnd;
    log.kill(currentSegment, current, published ? RecordFormat.DOOMED : RecordFormat.DEAD);
    if (published) {
      deaths.add(currentSegment, current.start());
    }
    if (!current.deletion()) {
      size--;
    }
  }

  private boolean locate(long sequence, RecordView into) {
    Segments segments = log.segments();
    int at = segments.indexOf(sequence);
    if (at < 0) {
      return false;
    }
    currentSegment = segments.get(at);
    return currentSegment.locate(sequence, into);
  }

  /**
   * The start of a partition's log has moved: keys whose record lies before it vanish, and an
   * expired deletion is appended for each (or the record of another partition that now wins).
   *
   * @return how many records went
   */
  public int advanceStart(int partition, long startOffset) {
    assert owned();
    if (partition >= starts.length) {
      starts = Arrays.copyOf(starts, partition + 1);
    }
    starts[partition] = startOffset;
    int gone = 0;
    for (Iterator<Candidates> all = contested.iterator(); all.hasNext(); ) {
      Candidates candidates = all.next();
      gone += advanceStart(candidates, partition, startOffset);
      if (!candidates.areSeveral()) {
        all.remove();
      }
    }
    Segments segments = log.segments();
    for (int i = 0; i < segments.count(); i++) {
      Segment segment = segments.get(i);
      if (segment.lowestPut(partition) < startOffset) {
        gone += advanceStart(segment, partition, startOffset);
      }
    }
    return gone;
  }

  @SuppressWarnings("ReferenceEquality") // whether it is the very same one
  private int advanceStart(Candidates candidates, int partition, long startOffset) {
    Candidate before = candidates.winner();
    Candidate gone = candidates.removeBelow(partition, startOffset);
    if (gone == null) {
      return 0;
    }
    Candidate winner = candidates.winner();
    byte[] key = candidates.key();
    long hash = hashes.of(key);
    if (winner == null) {
      log.makeRoom(key.length, 0);
      expire(hash, index.position(key, hash, records, current));
    } else if (winner != before) {
      write(key, hash, winner);
    }
    return gone.value() == null ? 0 : 1;
  }

  private int advanceStart(Segment segment, int partition, long startOffset) {
    RecordView view = new RecordView();
    int gone = 0;
    long lowest = Long.MAX_VALUE;
    long previous = segment.firstSequence;
    int limit = segment.written();
    for (int at = 0; at < limit; at = view.end()) {
      view.show(segment, at, previous);
      previous = view.sequence();
      if (view.superseded() || view.deletion() || view.partition() != partition) {
        continue;
      }
      if (view.offset() >= startOffset) {
        lowest = Math.min(lowest, view.offset());
      } else {
        long hash = hashes.of(view.array(), view.keyOffset(), view.keyLength());
        log.makeRoom(view.keyLength(), 0);
        gone += expire(hash, index.position(hash, view.sequence()));
      }
    }
    segment.setLowestPut(partition, lowest);
    return gone;
  }

  /** Appends a deletion for the value at a position of the index; returns 1 if there is one. */
  private int expire(long hash, int position) {
    if (position < 0 || !locate(index.sequence(position), current) || current.deletion()) {
      return 0;
    }
    long sequence =
        log.append(
            RecordFormat.DELETION
                | RecordFormat.EXPIRED
                | (current.contested() ? RecordFormat.CONTESTED : 0),
            current.partition(),
            current.offset(),
            -1,
            current.array(),
            current.keyOffset(),
            current.keyLength());
    supersede(position, hash, sequence);
    return 1;
  }

  /** Empties the table, which starts over: the next version has the next incarnation. */
  public void startOver() {
    assert owned();
    log.clear();
    index.clear();
    contested.clear();
    starts = new long[0];
    deaths.clear();
    dropped.clear();
    cleaner.startOver();
    size = 0;
    done = 0;
    toCome = 0;
    incarnation++;
  }

  /** Makes all that was done since the last call visible to readers, with one volatile write. */
  public Version publish(Status status) {
    assert owned();
    publications++;
    table.announce(publications);
    deaths.apply();
    cleaner.forget();
    publishedEnd = log.lastSequence();
    Version next = new Version(publications, incarnation, log, index, size, dropped, status);
    table.publish(next);
    return next;
  }

  /**
   * One bounded step of cleaning: rewrites at most about one segment's worth of records, without
   * what is dead and without tombstones appended before {@code now - retention}. To be called
   * between batches; the result is visible after the next {@link #publish}.
   *
   * @param retention in ms: how long deletions are remembered
   * @return whether another step has work to do
   */
  public boolean clean(long retention) {
    assert owned();
    return cleaner.clean(retention);
  }

  /** Number of keys that are known in more than one partition. */
  public long contested() {
    return contested.size();
  }

  /** A key that is known in more than one partition, as an example; null if there is none. */
  public byte @Nullable [] contestedExample() {
    return contested.isEmpty() ? null : contested.iterator().next().key().clone();
  }

  private boolean owned() {
    if (owner == null) {
      owner = Thread.currentThread();
    }
    return owner == Thread.currentThread();
  }
}
