package io.tablecast.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tablecast.table.TopicId;
import java.util.List;
import org.junit.jupiter.api.Test;

class IntervalTest {
  @Test
  void aSlowedSubscriptionGetsWhatWaitedInOneMessageWhateverFasterOnesOfItsFilterWereSent() {
    LogModel log = new LogModel(2);
    Replica replica = new Replica(log, new TopicId(1, 2), 65_536, 60_000);
    log.append(0, 1, "k", "1");
    replica.followAll();
    ModelClient fast = new ModelClient(log, ModelClient.options(List.of(), List.of(), 0));
    ModelClient slow = new ModelClient(log, ModelClient.options(List.of(), List.of(), 1_000));
    for (ModelClient c : List.of(fast, slow)) {
      c.connect(replica);
      c.request(1_000_000);
    }
    replica.loop.drain();
    int before = slow.changesMessages;
    for (int i = 0; i < 100; i++) {
      log.append(i % 2, 2, "z" + i % 2, "" + i);
      replica.followAll();
      replica.loop.advance(50);
    }
    replica.loop.advance(1_000);
    int messages = slow.changesMessages - before;
    assertEquals(fast.map, slow.map);
    assertTrue(
        messages >= 4 && messages <= 6, messages + " messages in 5 s with an interval of 1 s");
    assertEquals(
        100, slow.skipped + slow.delivered - 1, "each change is told or counted as skipped");
  }
}
