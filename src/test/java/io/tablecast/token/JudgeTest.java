package io.tablecast.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tablecast.table.Frontier;
import io.tablecast.table.LeaderEpochs;
import io.tablecast.table.PartitionFrontier;
import io.tablecast.table.Status;
import io.tablecast.table.Table;
import io.tablecast.table.TableSettings;
import io.tablecast.table.TopicId;
import io.tablecast.table.Version;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule of tokens at its boundary: exactly at, one before, one after. */
class JudgeTest {
  private static final TopicId TOPIC = new TopicId(1, 2);
  private static final TopicId OTHER = new TopicId(1, 3);
  private static final long HOUR = 3_600_000;

  /** When this replica began, and was done with what was there. */
  private static final long BEGAN = 1_000_000_000;

  private static final long ASKED = BEGAN + 10;

  private long retention = 10_000;
  private long asOf = ASKED - 5;
  private TopicId topic = TOPIC;
  private final List<PartitionFrontier> here = new ArrayList<>();
  private long clock = BEGAN;
  private final Table table = new Table("t", new TableSettings(1024, 0.3), () -> clock);

  private void partition(long next, int epoch, long start, long origin, LeaderEpochs epochs) {
    here.add(new PartitionFrontier(next, epoch, start, origin, BEGAN, epochs));
  }

  private void partition(long next) {
    partition(next, 0, 0, 0, LeaderEpochs.NONE);
  }

  private Version version() {
    return table.writer().publish(new Status(true, 0, new Frontier(topic, asOf, retention, here)));
  }

  private Verdict judge(long issued, Token.Position... positions) {
    return Judge.judge(new Token(TOPIC, issued, List.of(positions)), version(), ASKED);
  }

  private static Token.Position at(long next) {
    return at(next, 0, 0);
  }

  private static Token.Position at(long next, long start, int epoch) {
    return new Token.Position(next, start, epoch, next);
  }

  private static void exact(Verdict verdict) {
    assertInstanceOf(Verdict.Exact.class, verdict, verdict::toString);
  }

  private static void ahead(Verdict verdict) {
    assertInstanceOf(Verdict.Ahead.class, verdict, verdict::toString);
  }

  private static void refused(String because, Verdict verdict) {
    Verdict.Refused refused = assertInstanceOf(Verdict.Refused.class, verdict, verdict::toString);
    assertTrue(refused.reason().contains(because), refused::reason);
  }

  // ---- age

  @Test
  void ageIsTheRetentionLessATenthForClocks() {
    partition(10);
    exact(judge(BEGAN - 9_000 + 1, at(5)));
    refused("older than the tombstones", judge(BEGAN - 9_000, at(5)));
    refused("older than the tombstones", judge(BEGAN - 9_000 - 1, at(5)));
  }

  @Test
  void marginForClocksIsAMinuteAtMost() {
    retention = 24 * HOUR;
    partition(10);
    exact(judge(BEGAN - 24 * HOUR + 60_000 + 1, at(5)));
    refused("older than the tombstones", judge(BEGAN - 24 * HOUR + 60_000, at(5)));
    refused("older than the tombstones", judge(BEGAN - 24 * HOUR + 60_000 - 1, at(5)));
  }

  @Test
  void ageCountsUntilThisReplicaHadReadTheLogNotUntilNow() {
    partition(10);
    asOf = BEGAN + 100 * HOUR;
    exact(judge(BEGAN, at(5)));
    exact(judge(BEGAN + HOUR, at(5)));
  }

  @Test
  void noRetentionLeavesOnlyTokensThatAreYoungerThanTheReplica() {
    retention = 0;
    partition(10);
    exact(judge(BEGAN, at(5)));
    exact(judge(BEGAN + 1, at(5)));
    refused("older than the tombstones", judge(BEGAN - 1, at(5)));
  }

  @Test
  void tokenOfAReplicaThatNeverReachedAnEndIsTooOld() {
    partition(10);
    refused("older than the tombstones", judge(0, at(5)));
  }

  @Test
  void farOffRetentionsAndTimesDoNotOverflow() {
    retention = Long.MAX_VALUE;
    partition(10);
    exact(judge(1, at(5)));
    exact(judge(Long.MAX_VALUE, at(5)));
    here.set(0, new PartitionFrontier(10, 0, 0, 0, Long.MAX_VALUE, LeaderEpochs.NONE));
    retention = 10_000;
    refused("older than the tombstones", judge(BEGAN, at(5)));
  }

  // ---- tombstones dropped here

  /** Drops a tombstone of partition 0 at this offset. */
  private void drop(long offset) {
    table.writer().apply(0, offset, 1, bytes("gone"), null);
    fill();
  }

  private void fill() {
    byte[] filler = new byte[900];
    for (int i = 0; i < 8; i++) { // each key twice: what lies with the deletion dies
      table.writer().apply(1, 1000 + i, 1, bytes("filler" + i % 4), filler);
    }
    version();
    clock += 1_000;
    while (table.writer().clean(1)) {
      clock++;
    }
  }

  @Test
  void tombstoneDroppedHereMustLieBeforeTheToken() {
    partition(100);
    partition(2000);
    drop(50);
    assertEquals(50, version().droppedOffset(0));
    refused("has been dropped", judge(BEGAN, at(49), at(2000)));
    refused("has been dropped", judge(BEGAN, at(50), at(2000)));
    exact(judge(BEGAN, at(51), at(2000)));
  }

  @Test
  void expiryDroppedHereMustLieBeforeTheStartThatTheTokenKnows() {
    table.writer().apply(0, 50, 1, bytes("gone"), bytes("1"));
    table.writer().advanceStart(0, 60);
    fill();
    partition(100, 0, 60, 0, LeaderEpochs.NONE);
    partition(2000);
    assertEquals(50, version().droppedExpiry(0));
    refused("which keys the start", judge(BEGAN, at(100, 49, 0), at(2000)));
    refused("which keys the start", judge(BEGAN, at(100, 50, 0), at(2000)));
    exact(judge(BEGAN, at(100, 51, 0), at(2000)));
  }

  @Test
  void nothingDroppedIsNoReason() {
    partition(100);
    exact(judge(BEGAN, at(0)));
  }

  // ---- another topic

  @Test
  void topicIdDecidesWhetherTheTopicHasFewerAsManyOrMoreRecords() {
    for (long next : new long[] {9, 10, 11}) {
      here.clear();
      partition(next);
      topic = OTHER;
      refused("another topic", judge(BEGAN, at(10)));
      topic = TOPIC;
    }
  }

  @Test
  void tokenOfAnotherTopicIsRefusedAtOnceEvenIfItSeemsAhead() {
    partition(10);
    topic = OTHER;
    asOf = ASKED - 1;
    refused("another topic", judge(BEGAN, at(11), at(3)));
  }

  // ---- offsets beyond the log

  @Test
  void offsetBeyondWhatIsReadHereIsWaitedForUntilTheLogIsKnownToEndBeforeIt() {
    partition(10);
    exact(judge(BEGAN, at(9)));
    exact(judge(BEGAN, at(10)));
    asOf = ASKED - 1;
    ahead(judge(BEGAN, at(11)));
    asOf = ASKED;
    refused("ends before the token", judge(BEGAN, at(11)));
    asOf = ASKED + 1;
    refused("ends before the token", judge(BEGAN, at(11)));
  }

  @Test
  void whatTheClientHasSeenBeyondItsTokenIsWaitedForToo() {
    partition(10);
    exact(judge(BEGAN, new Token.Position(5, 0, 0, 10)));
    ahead(judge(BEGAN, new Token.Position(5, 0, 0, 11)));
  }

  @Test
  void waitingComesBeforeEveryOtherRule() {
    partition(10, 0, 0, 7, LeaderEpochs.NONE);
    ahead(judge(0, new Token.Position(5, 0, 0, 11)));
  }

  // ---- the log's start

  @Test
  void startMustNotHaveMovedBeforeThisReplicaReadTheRecords() {
    partition(100, 0, 60, 50, LeaderEpochs.NONE);
    refused("before this replica read", judge(BEGAN, at(80, 49, 0)));
    exact(judge(BEGAN, at(80, 50, 0)));
    exact(judge(BEGAN, at(80, 51, 0)));
  }

  @Test
  void startThatThisReplicaHasYetToNoticeIsWaitedFor() {
    partition(100, 0, 60, 50, LeaderEpochs.NONE);
    exact(judge(BEGAN, at(80, 59, 0)));
    exact(judge(BEGAN, at(80, 60, 0)));
    ahead(judge(BEGAN, at(80, 61, 0)));
    asOf = ASKED;
    refused("starts before", judge(BEGAN, at(80, 61, 0)));
  }

  // ---- partitions

  @Test
  void addedPartitionIsTakenUpFromItsStart() {
    partition(10);
    partition(5);
    exact(judge(BEGAN, at(10)));
  }

  @Test
  void addedPartitionWhoseStartHasMovedIsNot() {
    partition(10);
    partition(5, 0, 1, 1, LeaderEpochs.NONE);
    refused("partition 1", judge(BEGAN, at(10)));
  }

  @Test
  void addedPartitionIsNotWhenItsFirstTombstoneWasDroppedHere() {
    partition(2000);
    here.add(0, new PartitionFrontier(0, 0, 0, 0, BEGAN, LeaderEpochs.NONE));
    drop(0);
    refused("partition 0: a tombstone", judge(BEGAN));
  }

  @Test
  void partitionThatIsYetUnknownHereIsWaitedFor() {
    partition(10);
    ahead(judge(BEGAN, at(10), at(0)));
    asOf = ASKED;
    refused("more partitions", judge(BEGAN, at(10), at(0)));
  }

  // ---- leader epochs

  @Test
  void laterEpochThanTheLogsIsATruncation() {
    partition(10, 4, 0, 0, LeaderEpochs.NONE);
    exact(judge(BEGAN, at(9, 0, 3)));
    exact(judge(BEGAN, at(9, 0, 4)));
    refused("truncated", judge(BEGAN, at(9, 0, 5)));
    exact(judge(BEGAN, at(9, 0, -1)));
  }

  @Test
  void laterEpochBeforeTheTokensOffsetIsALogThatWasCutOffAndGrewAgain() {
    LeaderEpochs epochs = LeaderEpochs.NONE.with(0, 0).with(2, 80);
    partition(120, 2, 0, 0, epochs);
    exact(judge(BEGAN, at(79, 0, 0)));
    exact(judge(BEGAN, at(80, 0, 0)));
    refused("grown again", judge(BEGAN, at(81, 0, 0)));
    exact(judge(BEGAN, at(81, 0, 2)));
    exact(judge(BEGAN, at(81, 0, -1)));
  }

  @Test
  void epochsOfAReplicaThatKnowsNoneAreNoReason() {
    partition(10, -1, 0, 0, LeaderEpochs.NONE);
    exact(judge(BEGAN, at(9, 0, 7)));
  }

  @Test
  void epochsAreNotedWhereTheyFirstShow() {
    LeaderEpochs e = LeaderEpochs.NONE.with(-1, 3).with(1, 5).with(1, 9).with(0, 10).with(4, 12);
    assertEquals(-1, e.before(5));
    assertEquals(1, e.before(6));
    assertEquals(1, e.before(12));
    assertEquals(4, e.before(13));
    assertEquals(4, e.newest());
  }

  // ---- what is no token

  @Test
  void garbageIsNoToken() {
    for (String text : List.of("", " ", "AA", "null", "{}", "AQ==", "é", "A".repeat(100_000))) {
      assertTrue(Token.decode(text).isEmpty(), text);
    }
  }

  @Test
  void tokenSurvivesItsText() {
    partition(10, 3, 2, 1, LeaderEpochs.NONE);
    Token token = Token.of(version().status().frontier());
    exact(Judge.judge(Token.decode(token.text()).orElseThrow(), version(), ASKED));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
