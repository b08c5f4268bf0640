package io.tablecast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tablecast.feed.TableState.CaughtUp;
import io.tablecast.feed.TableState.Progress;
import io.tablecast.feed.TableState.Replaying;
import io.tablecast.feed.TableState.Stale;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableStateTest {
  @Test
  void emptyTopicHasCaughtUpAtOnce() {
    assertInstanceOf(CaughtUp.class, TableState.start().replay(List.of(new Progress(0, 0, 0))));
  }

  @Test
  void oneOffsetBeforeTheEndIsNotCaughtUp() {
    TableState state =
        TableState.start().replay(List.of(new Progress(0, 5, 5), new Progress(1, 9, 10)));
    assertFalse(state.caughtUp());
    Replaying replaying = assertInstanceOf(Replaying.class, state);
    assertEquals(1, replaying.progress().get(1).remaining());
    assertTrue(replaying.moved(List.of(new Progress(0, 5, 5), new Progress(1, 10, 10))).caughtUp());
  }

  @Test
  void unknownEndKeepsItBack() {
    Progress noLeader = new Progress(0, 7, -1);
    assertEquals(-1, noLeader.remaining());
    assertFalse(TableState.start().replay(List.of(noLeader)).caughtUp());
  }

  @Test
  void staleShowsItsValuesAndComesBack() {
    Stale stale = new CaughtUp().lost(42);
    assertTrue(stale.caughtUp());
    assertEquals(42, stale.since());
    assertEquals(new CaughtUp(), stale.regained());
  }

  @Test
  void startingOverHidesTheValues() {
    assertFalse(new CaughtUp().waiting("recreated").caughtUp());
    assertFalse(new Stale(1).waiting("recreated").caughtUp());
  }
}
