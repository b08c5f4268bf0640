package io.tablecast.fanout;

import io.tablecast.table.Cursor;
import io.tablecast.table.Frontier;
import io.tablecast.table.RecordView;
import io.tablecast.table.Status;
import io.tablecast.table.Table;
import io.tablecast.table.TopicId;
import io.tablecast.table.Version;
import io.tablecast.token.Token;
import io.tablecast.wire.ValueFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One table in one hub: the version that the hub has seen, the groups of its subscriptions, and who
 * waits for what. All of a hub's subscriptions to a table act on the same version, so that what has
 * been routed and what is read agree. Hub thread.
 */
final class TableFan {
  /**
   * Bodies kept for others at the same position: of the whole table, since snapshots are large, and
   * of one filter.
   */
  private static final long LOG_CACHE_BYTES = 8 << 20;

  private static final long FILTER_CACHE_BYTES = 256 << 10;

  final Table table;
  final ValueFormat format;
  final RecordView view = new RecordView();
  final BatchWriter batches;
  private final Map<Filter, Group> groups = new HashMap<>();
  private final KeyIndex<Group> index = new KeyIndex<>();
  private final Cursor router;
  private final Set<Group> touched = new LinkedHashSet<>();

  /** Opened but not started: the table has not caught up, or not as far as their token. */
  private final Members unstarted = Members.waiting();

  /** Would be live, but for a newer version that is there or about to be. */
  private final Members postponed = Members.waiting();

  private final Members all = Members.ofFan();
  private Version version;
  private @Nullable Named named;
  private @Nullable Named partly;
  private @Nullable Token partlyFrom;

  TableFan(Table table, ValueFormat format, BatchWriter batches) {
    this.table = table;
    this.format = format;
    this.batches = batches;
    version = table.version();
    router = table.cursor(version.end());
  }

  Version version() {
    return version;
  }

  long end() {
    return version.end();
  }

  Status status() {
    return version.status();
  }

  /**
   * Names the end of the version for a client that has been told everything up to there; null when
   * that can't be said: nothing is known of the topic yet, or what died in a newer version has been
   * passed over already and its successor is yet to come.
   */
  @Nullable Named token() {
    if (!table.isNewest(version)) {
      return null;
    }
    Frontier f = version.status().frontier();
    if (named == null && !f.topicId().equals(TopicId.NONE)) {
      named = new Named(Token.of(f));
    }
    return named;
  }

  /**
   * Whether the batch's token, if it has one, is true of every client at the batch's start: one
   * that came there later may have passed over what has died since.
   */
  boolean confirms(Batch batch) {
    return batch.token() == null || batch.builtAt() == end() && table.isNewest(version);
  }

  /** Names a client's place between a token that it has and the end of the version. */
  @SuppressWarnings("ReferenceEquality") // whether it is the very same one
  Named partly(Token from) {
    Named known = partly;
    if (known == null || partlyFrom != from) {
      known = new Named(from.seenUpTo(version.status().frontier()));
      partly = known;
      partlyFrom = from;
    }
    return known;
  }

  boolean isUnused() {
    return all.size() == 0;
  }

  // ---- subscriptions

  void add(Subscription s) {
    all.add(s);
    tryStart(s);
  }

  private void tryStart(Subscription s) {
    if (!version.status().caughtUp() || !s.tryStart()) {
      unstarted.add(s);
    }
  }

  void remove(Subscription s) {
    all.remove(s);
    unstarted.remove(s);
    postponed.remove(s);
    leave(s);
  }

  /** The subscription has started and follows its group from the version's end on. */
  Group join(Subscription s) {
    Group g = groups.get(s.filter());
    if (g == null) {
      g = new Group(s.filter(), s.filter().all() ? LOG_CACHE_BYTES : FILTER_CACHE_BYTES);
      groups.put(s.filter(), g);
      index.add(s.filter(), g);
    }
    g.members.add(s);
    return g;
  }

  private void leave(Subscription s) {
    Group g = groups.get(s.filter());
    if (g == null) {
      return;
    }
    g.waiting.remove(s);
    g.members.remove(s);
    if (g.members.size() == 0) {
      groups.remove(s.filter());
      index.remove(s.filter(), g);
    }
  }

  /** The subscription starts over: it waits until the table has caught up. */
  void restart(Subscription s) {
    postponed.remove(s);
    leave(s);
    unstarted.add(s);
  }

  /** Makes the subscription ready again when the next version has been seen. */
  void postpone(Subscription s) {
    postponed.add(s);
  }

  /** Starts those that no longer have to wait. */
  void startWaiting() {
    unstarted.drain(this::tryStart);
  }

  // ---- versions

  /** Takes notice of the table's newest version. */
  void refresh() {
    Version newest = table.version();
    if (newest == version) {
      return;
    }
    Version before = version;
    version = newest;
    named = null;
    partly = null;
    // A deletion that has been dropped before it was routed has reached nobody.
    if (newest.incarnation() != before.incarnation() || newest.dropped() > router.position()) {
      startOver();
    }
    route();
    startWaiting();
    postponed.drain(Subscription::ready);
    if (newest.status().staleSince() != before.status().staleSince()) {
      forEach(Subscription::statusChanged);
    }
  }

  private void startOver() {
    router.seek(version.end());
    groups.values().forEach(Group::startOver);
    forEach(Subscription::startOver);
  }

  private void forEach(Consumer<Subscription> action) {
    List<Subscription> copy = new ArrayList<>(all.size());
    for (int i = 0; i < all.size(); i++) {
      copy.add(all.get(i));
    }
    copy.forEach(action);
  }

  /** Reads the new part of the log once and gives each change to the groups that it matches. */
  private void route() {
    long before = router.position();
    if (before >= version.end()) {
      return;
    }
    if (index.isEmpty()) {
      router.seek(version.end());
    } else {
      while (router.nextOfAny(version, view)) {
        index.match(view, this::route);
      }
    }
    touched.forEach(g -> g.trim(table, view));
    Group whole = groups.get(Filter.ALL);
    if (whole != null) {
      touched.add(whole);
    }
    List<Group> woken = List.copyOf(touched);
    touched.clear();
    woken.forEach(g -> g.waiting.drain(s -> s.woken(before)));
  }

  private void route(Group g) {
    g.route(view);
    touched.add(g);
  }

  /** Asks those that have been quiet for long whether a bookmark is due. */
  void tick(long now) {
    forEach(s -> s.tick(now));
  }
}
