package io.tablecast.fanout;

import io.tablecast.table.Cursor;
import io.tablecast.table.Version;
import io.tablecast.token.Since;
import org.jspecify.annotations.Nullable;

/**
 * How far a subscription has read its table since it started: first what was there, from a {@link
 * Source}, then what came after it, from its group's queue or the log. Hub thread.
 */
final class Reading {
  private final TableFan fan;
  private final Group group;
  private final boolean meta;
  private final Cursor cursor;

  /**
   * Deletions up to this sequence number are no news to the client: the table's end at the start
   * for one that began with nothing, else 0.
   */
  private final long knownDeletions;

  private final long droppedAtStart;

  /** The client must not be called live before it has been told of this sequence number. */
  private final long gate;

  private @Nullable Source source;

  /**
   * All changes up to this sequence number have been told, were superseded, or don't matter to the
   * client.
   */
  private long position;

  /**
   * Starts at the fan's version.
   *
   * @param since for a resume
   */
  Reading(TableFan fan, Group group, Mode mode, @Nullable Since since, boolean meta) {
    this.fan = fan;
    this.group = group;
    this.meta = meta;
    cursor = fan.table.cursor(0);
    knownDeletions = mode == Mode.SNAPSHOT ? fan.end() : 0;
    droppedAtStart = fan.version().dropped();
    position = fan.end();
    source = Source.of(mode, group, since, fan, cursor, meta);
    gate = source instanceof KeySource keys ? keys.gate() : 0;
    advance();
  }

  long position() {
    return position;
  }

  /** Everything up to the fan's end has been read. */
  boolean atEnd() {
    return source == null && position >= fan.end();
  }

  /** Everything that the hub knew at one moment has been read. */
  boolean complete() {
    return atEnd() && position >= gate;
  }

  /** The next changes; null when this call found none, which does not mean that there are none. */
  @Nullable Batch read() {
    Source old = source;
    if (old == null) {
      return follow();
    }
    Batch batch = old.read();
    advance();
    return batch;
  }

  /** What lies up to this sequence number is known not to match. */
  void passOver(long sequence) {
    position = Math.max(position, sequence);
  }

  /**
   * Takes over the source's position; when it has read everything, the group's queue goes on from
   * there.
   */
  private void advance() {
    if (source != null) {
      position = source.position();
      source = source.done() ? null : source;
    }
  }

  private @Nullable Batch follow() {
    if (position >= fan.end()) {
      return null;
    }
    BatchCache.Place place = new BatchCache.Place(position, false, meta);
    Batch batch = group.shared(place);
    // An older one goes less far, and step by step.
    if (batch == null || batch.builtAt() < fan.end() || !fan.confirms(batch)) {
      batch =
          group.filter.all()
              ? Following.log(fan, cursorAtPosition(), meta)
              : Following.queue(fan, group, position, meta);
      group.share(place, batch);
    }
    position = batch.to();
    return batch.count() == 0 ? null : batch;
  }

  private Cursor cursorAtPosition() {
    if (cursor.position() != position) {
      cursor.seek(position);
    }
    return cursor;
  }

  /**
   * Whether a deletion that this client needs has been dropped for its age before it was told, so
   * that what has just been read may lack it.
   *
   * @param before the position before reading
   */
  boolean missedDeletion(long before) {
    Version newest = fan.table.version(); // not the fan's: what is dropped is gone for it too
    long needed = Math.max(before, knownDeletions);
    return newest.dropped() > needed && newest.dropped() != droppedAtStart;
  }
}
