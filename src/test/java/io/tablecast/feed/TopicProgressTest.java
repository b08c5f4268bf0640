package io.tablecast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tablecast.feed.TopicAnswer.Bounds;
import io.tablecast.feed.TopicAnswer.Failed;
import io.tablecast.feed.TopicAnswer.Known;
import io.tablecast.feed.TopicAnswer.Missing;
import io.tablecast.table.PartitionFrontier;
import io.tablecast.table.TopicId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopicProgressTest {
  private static final long STALE_AFTER = 10_000;
  private static final long INTERVAL = 3_000;
  private static final long LATE = 2 * INTERVAL;
  private static final TopicId ID = new TopicId(1, 1);
  private static final TopicId OTHER = new TopicId(2, 2);
  private static final long DAY = 86_400_000;

  private final TopicProgress progress = new TopicProgress("t", STALE_AFTER, INTERVAL);
  private long retention = DAY;

  private @Nullable String check(long at, TopicId id, Bounds... bounds) {
    return progress.answered(
        progress.begin(),
        new Known(at, id, List.of(bounds), new TopicSettings(true, false, retention, true)));
  }

  private void follow(long at, long end) {
    assertNull(check(at, ID, new Bounds(0, end)));
    assertNull(progress.advanced(0, end, 0));
    assertNull(progress.settle(at));
    assertTrue(progress.state().caughtUp());
  }

  private PartitionFrontier frontier(int partition) {
    return progress.status().frontier().partitions().get(partition);
  }

  @Test
  void catchesUpWhenThePositionReachesTheEndNotTheLastRecord() {
    check(100, ID, new Bounds(0, 7));
    progress.advanced(0, 6, 0);
    assertNull(progress.settle(110));
    assertFalse(progress.state().caughtUp());
    progress.advanced(0, 7, 4);
    assertNull(progress.settle(120));
    assertTrue(progress.status().caughtUp());
    PartitionFrontier f = frontier(0);
    assertEquals(new PartitionFrontier(7, 4, 0, 0, 120, f.epochs()), f);
    assertEquals(4, f.epochs().newest());
    assertEquals(100, progress.status().frontier().asOf());
  }

  @Test
  void emptyPartitionWhoseLogStartsAboveZeroNeedsNoRecord() {
    check(100, ID, new Bounds(50, 50));
    progress.settle(101);
    assertTrue(progress.state().caughtUp());
    assertEquals(50, frontier(0).next());
  }

  @Test
  void endIsTheOneAtStartEvenIfTheLogGrows() {
    check(100, ID, new Bounds(0, 5));
    check(200, ID, new Bounds(0, 500));
    progress.advanced(0, 5, 0);
    progress.settle(210);
    assertTrue(progress.state().caughtUp());
    assertEquals(495, progress.lag());
    assertEquals(100, progress.status().frontier().asOf());
  }

  @Test
  void partitionWithoutLeaderBlocksAndTheOthersShowTheirProgress() {
    check(100, ID, new Bounds(0, 5), Bounds.UNKNOWN);
    progress.advanced(0, 5, 0);
    progress.settle(101);
    TableState.Replaying state = assertInstanceOf(TableState.Replaying.class, progress.state());
    assertTrue(state.progress().get(0).done());
    assertEquals(-1, state.progress().get(1).remaining());
    check(200, ID, new Bounds(0, 5), new Bounds(0, 0));
    progress.settle(201);
    assertTrue(progress.state().caughtUp());
  }

  @Test
  void missingTopicIsWaitedForByName() {
    progress.answered(progress.begin(), new Missing());
    assertEquals(new TableState.Waiting("topic t does not exist"), progress.state());
    check(100, ID, new Bounds(0, 0));
    assertTrue(progress.state().caughtUp());
  }

  @Test
  void failureIsShownOnlyWhileWaiting() {
    progress.answered(progress.begin(), new Failed("no route"));
    assertEquals(new TableState.Waiting("no route"), progress.state());
    follow(100, 5);
    progress.answered(progress.begin(), new Failed("no route"));
    assertTrue(progress.state().caughtUp());
  }

  @Test
  void topicOfAnotherIdStartsOver() {
    follow(100, 5);
    assertNotNull(check(200, OTHER, new Bounds(0, 5)));
    progress.startOver("recreated");
    assertFalse(progress.status().caughtUp());
    assertEquals(TopicId.NONE, progress.status().frontier().topicId());
    assertNull(check(300, OTHER, new Bounds(0, 5)));
    assertFalse(progress.state().caughtUp());
    progress.advanced(0, 5, 0);
    progress.settle(310);
    assertTrue(progress.state().caughtUp());
  }

  @Test
  void topicIsGoneWhenItIsMissingTwiceInARow() {
    follow(100, 5);
    assertNull(progress.answered(progress.begin(), new Missing()));
    assertNull(check(300, ID, new Bounds(0, 5)));
    assertNull(progress.answered(progress.begin(), new Missing()));
    assertNotNull(progress.answered(progress.begin(), new Missing()));
  }

  @Test
  void answerOfAnEarlierGenerationIsPassedOver() {
    TopicProgress.Check old = progress.begin();
    progress.startOver("test");
    progress.answered(old, new Known(100, ID, List.of(new Bounds(0, 0)), TopicSettings.ASSUMED));
    assertFalse(progress.exists());
    assertFalse(progress.state().caughtUp());
  }

  @Test
  void positionThatGoesBackIsATruncation() {
    follow(100, 5);
    assertNotNull(progress.advanced(0, 4, 1));
    assertTrue(progress.partition(0).back(4));
    assertFalse(progress.partition(0).back(5));
  }

  @Test
  void logThatEndsTwiceBeforeWhatWasReadIsATruncation() {
    follow(100, 5);
    assertNull(check(200, ID, new Bounds(0, 4)));
    assertNull(check(300, ID, new Bounds(0, 5)));
    assertNull(check(400, ID, new Bounds(0, 4)));
    assertNotNull(check(500, ID, new Bounds(0, 4)));
  }

  /** While a topic is created again, a broker may still answer with the log that it deletes. */
  @Test
  void firstEndThatWasOfAnotherLogIsNotWaitedForWithoutEnd() {
    assertNull(check(100, ID, new Bounds(0, 500)));
    progress.advanced(0, 50, 0);
    assertNull(check(200, ID, new Bounds(0, 50)));
    assertNotNull(check(300, ID, new Bounds(0, 60)));
  }

  @Test
  void firstStartThatWasOfAnotherLogDoesNotHideRecordsForGood() {
    assertNull(check(100, ID, new Bounds(300, 500)));
    assertNull(check(200, ID, new Bounds(0, 600)));
    assertNotNull(check(300, ID, new Bounds(0, 700)));
  }

  @Test
  void logWhoseUnreadEndWasCutOffIsNotWaitedForWithoutEnd() {
    follow(100, 5);
    assertNull(check(200, ID, new Bounds(0, 9)));
    assertNull(check(300, ID, new Bounds(0, 7)));
    assertNull(check(400, ID, new Bounds(0, 9)), "once may be an old leader's answer");
    assertNull(check(500, ID, new Bounds(0, 7)));
    assertNotNull(check(600, ID, new Bounds(0, 8)));
  }

  @Test
  void endsAreComparedWithWhatWasReadWhenTheCheckBegan() {
    follow(100, 5);
    for (int i = 0; i < 3; i++) {
      TopicProgress.Check check = progress.begin();
      progress.advanced(0, 10 + i, 0);
      assertNull(
          progress.answered(
              check, new Known(200 + i, ID, List.of(new Bounds(0, 5 + i)), TopicSettings.ASSUMED)));
      assertNull(progress.settle(200 + i));
      assertNull(progress.advanced(0, 10 + i, 0));
      check(300, ID, new Bounds(0, 10 + i));
    }
  }

  @Test
  void addedPartitionHoldsBackAsOfButNotTheTable() {
    follow(100, 5);
    assertNull(check(200, ID, new Bounds(0, 5), new Bounds(0, 3)));
    assertNull(progress.settle(210));
    assertTrue(progress.state().caughtUp());
    assertEquals(2, progress.partitions());
    assertEquals(100, progress.status().frontier().asOf());
    assertEquals(Long.MAX_VALUE, frontier(1).caughtUpAt());
    progress.advanced(1, 3, 0);
    assertNull(progress.settle(220));
    assertEquals(200, progress.status().frontier().asOf());
    assertEquals(220, frontier(1).caughtUpAt());
  }

  @Test
  void staleWhenNoCheckIsAnsweredForLongerThanTheLimit() {
    follow(1_000, 5);
    progress.settle(1_000 + STALE_AFTER);
    assertEquals(0, progress.staleSince());
    progress.settle(1_001 + STALE_AFTER);
    assertEquals(1_000, progress.staleSince());
    assertTrue(progress.status().stale());
    check(20_000, ID, new Bounds(0, 5));
    progress.settle(20_001);
    assertEquals(0, progress.staleSince());
    assertFalse(progress.status().stale());
  }

  @Test
  void startOfTheLogIsTakenWhenEverythingBeforeItHasBeenRead() {
    follow(100, 5);
    assertEquals(-1, progress.partition(0).takeStart());
    check(200, ID, new Bounds(7, 9));
    assertEquals(-1, progress.partition(0).takeStart());
    assertTrue(progress.partition(0).expired(6));
    assertFalse(progress.partition(0).expired(7));
    assertEquals(0, frontier(0).start(), "a token must not name what the table still shows");
    assertEquals(5, frontier(0).next());
    progress.advanced(0, 7, 0);
    assertEquals(7, progress.partition(0).takeStart());
    assertEquals(-1, progress.partition(0).takeStart());
    assertEquals(7, frontier(0).start());
    assertEquals(7, frontier(0).origin(), "5 and 6 may have been gone before they were read");
  }

  @Test
  void tableHasNotCaughtUpBeforeTheStartOfTheLogIsTaken() {
    check(100, ID, new Bounds(0, 9));
    progress.advanced(0, 5, 0);
    check(200, ID, new Bounds(9, 12));
    assertEquals(-1, progress.partition(0).takeStart());
    progress.settle(201);
    assertFalse(progress.state().caughtUp(), "the table holds what lay before the start");
    progress.advanced(0, 10, 0);
    assertEquals(9, progress.partition(0).takeStart());
    progress.settle(202);
    assertTrue(progress.state().caughtUp());
  }

  @Test
  void leaderEpochsOfRecordsAndOfWhatFollowsThemAreKept() {
    progress.partition(0).read(3, 1);
    progress.partition(0).read(4, 1);
    progress.advanced(0, 5, 1);
    progress.advanced(0, 9, 4);
    PartitionFrontier f = frontier(0);
    assertEquals(-1, f.epochs().before(3));
    assertEquals(1, f.epochs().before(4));
    assertEquals(1, f.epochs().before(8));
    assertEquals(4, f.epochs().before(9));
  }

  @Test
  void startOfALogWithNothingAfterItIsTakenAtOnce() {
    follow(100, 5);
    check(200, ID, new Bounds(9, 9));
    assertEquals(9, progress.partition(0).takeStart());
  }

  @Test
  void deletionsMayBeMissedAfterAnInterruptionLongerThanTheyAreKept() {
    retention = 10_000;
    follow(1_000, 5);
    progress.answered(progress.begin(), new Failed("down"));
    check(9_000, ID, new Bounds(0, 5));
    assertNull(progress.settle(10_000), "within the retention less a tenth");
    progress.answered(progress.begin(), new Failed("down"));
    check(18_000, ID, new Bounds(0, 5));
    assertNotNull(progress.settle(18_001), "after it");
  }

  @Test
  void briefRetentionIsNoReasonWhileContactIsKept() {
    retention = 100;
    follow(1_000, 5);
    check(4_000, ID, new Bounds(0, 5));
    assertNull(progress.settle(4_010));
    check(7_000, ID, new Bounds(0, 5));
    assertNull(progress.settle(7_010));
  }

  @Test
  void checksThatAreFarApartAreAnInterruptionEvenIfNoneFailed() {
    retention = 5_000;
    follow(1_000, 5);
    check(1_000 + LATE, ID, new Bounds(0, 5));
    assertNull(progress.settle(1_000 + LATE), "slow, but no pause");
    check(1_000 + 2 * LATE + 1, ID, new Bounds(0, 5));
    assertNotNull(progress.settle(1_001 + 2 * LATE), "the process stood still");
  }

  @Test
  void endsReachedLateAreAnInterruption() {
    retention = 5_000;
    follow(1_000, 5);
    check(4_000, ID, new Bounds(0, 9));
    progress.advanced(0, 9, 0);
    assertNotNull(progress.settle(4_001 + LATE));
  }

  @Test
  void deletedRecordsThatMayNotHaveBeenReadRaiseTheOrigin() {
    follow(100, 10);
    check(3_000, ID, new Bounds(0, 10)); // the position was 10 when this check began
    assertNull(progress.advanced(0, 40, 0)); // perhaps from 30 on: 10 to 29 were gone by then
    check(6_000, ID, new Bounds(30, 40));
    assertEquals(30, frontier(0).origin());
  }

  @Test
  void deletedRecordsThatHadBeenReadLeaveTheOrigin() {
    follow(100, 10);
    check(3_000, ID, new Bounds(0, 10));
    check(6_000, ID, new Bounds(10, 10));
    assertEquals(10, progress.partition(0).takeStart());
    assertEquals(10, frontier(0).start());
    assertEquals(0, frontier(0).origin());
  }

  @Test
  void startThatReadingJumpsToIsTakenWithTheRecordsBehindIt() {
    follow(100, 5);
    check(150, ID, new Bounds(0, 9));
    progress.partition(0).passed(7);
    assertEquals(-1, progress.partition(0).takeStart(), "nothing behind it has been applied");
    assertEquals(0, frontier(0).start());
    assertTrue(progress.partition(0).expired(6));
    assertFalse(progress.partition(0).expired(7));
    assertNull(progress.advanced(0, 9, 0));
    assertEquals(7, progress.partition(0).takeStart());
    assertEquals(7, frontier(0).start());
    assertEquals(7, frontier(0).origin(), "5 and 6 were never read");
  }

  @Test
  void startThatReadingJumpsToMayBeWhereItEnds() {
    follow(100, 5);
    progress.partition(0).passed(7);
    assertNull(progress.advanced(0, 7, 0));
    assertEquals(7, progress.partition(0).takeStart());
    assertEquals(7, frontier(0).next());
  }

  @Test
  void originStaysUnlessARecordWasJumpedOver() {
    follow(100, 5);
    progress.partition(0).passed(5);
    assertEquals(0, frontier(0).origin(), "everything before 5 had been read");
    progress.partition(0).passed(6);
    assertEquals(6, frontier(0).origin());
  }

  @Test
  void firstJumpOfAllNeedsNoCutAndRaisesTheOriginOfALogThatWasLonger() {
    check(100, ID, new Bounds(0, 9));
    progress.partition(0).passed(7);
    assertNull(progress.advanced(0, 9, 0));
    assertEquals(7, progress.partition(0).takeStart());
    assertEquals(7, frontier(0).origin());
    progress.partition(1).passed(3);
    assertEquals(-1, progress.partition(1).takeStart(), "there is nothing that could be cut");
    assertEquals(3, frontier(1).start());
  }

  @Test
  void checkThatKnowsAnEarlierStartThanTheJumpChangesNothing() {
    follow(100, 5);
    TopicProgress.Check check = progress.begin();
    progress.partition(0).passed(7);
    progress.advanced(0, 9, 0);
    assertEquals(7, progress.partition(0).takeStart());
    assertNull(
        progress.answered(
            check, new Known(200, ID, List.of(new Bounds(6, 9)), TopicSettings.ASSUMED)));
    assertEquals(-1, progress.partition(0).takeStart());
    assertEquals(7, frontier(0).start());
    assertEquals(7, frontier(0).origin());
  }
}
