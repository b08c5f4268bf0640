package io.tablecast.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class ChannelAssignerTest {
  private static final TopicPartition A0 = new TopicPartition("a", 0);
  private static final TopicPartition A1 = new TopicPartition("a", 1);
  private static final TopicPartition B0 = new TopicPartition("b", 0);
  private static final Map<String, Integer> FIRST = Map.of("a", 0, "b", 0);
  private static final Map<String, Integer> A_AGAIN = Map.of("a", 1, "b", 0);

  private static PollLog polls() {
    return new PollLog(new LogStarts(partition -> OptionalLong.empty()));
  }

  private final RecordingConsumer consumer = new RecordingConsumer();
  private final FakeChannel channel = new FakeChannel(consumer);
  private final ChannelAssigner assigner = new ChannelAssigner(channel.clients(), polls());

  /** Notes what is asked of it; its brokers answer, or not. */
  private static final class RecordingConsumer extends MockConsumer<byte[], byte[]> {
    final List<Set<TopicPartition>> assigned = new ArrayList<>();
    final List<Set<TopicPartition>> sought = new ArrayList<>();
    boolean brokersAnswer = true;

    RecordingConsumer() {
      super("earliest");
    }

    @Override
    public synchronized void assign(Collection<TopicPartition> partitions) {
      assigned.add(Set.copyOf(partitions));
      // A real one forgets that a partition is paused when it is not assigned any more.
      Set<TopicPartition> gone = new HashSet<>(assignment());
      gone.removeAll(partitions);
      resume(gone);
      super.assign(partitions);
    }

    @Override
    public synchronized void seekToBeginning(Collection<TopicPartition> partitions) {
      sought.add(Set.copyOf(partitions));
      super.seekToBeginning(partitions);
    }

    @Override
    public synchronized Map<String, List<PartitionInfo>> listTopics(Duration timeout) {
      if (!brokersAnswer) {
        throw new TimeoutException("no broker answers");
      }
      return super.listTopics(timeout);
    }

    void forget() {
      assigned.clear();
      sought.clear();
    }
  }

  private void assign(Set<TopicPartition> partitions, Map<String, Integer> generations) {
    assigner.assign(partitions, generations);
    channel.run();
  }

  /** As the connector begins, and what follows at once. */
  private void begin() {
    consumer.assign(Set.of(A0, B0));
    assign(Set.of(A0, B0), FIRST);
    consumer.forget();
  }

  @Test
  void whatTheConnectorHasAssignedIsNotAssignedAgain() {
    consumer.assign(Set.of(A0, B0));
    consumer.forget();
    assign(Set.of(A0, B0), FIRST);
    assertTrue(assigner.done());
    assertEquals(List.of(), consumer.assigned);
    assertEquals(List.of(), consumer.sought);
  }

  @Test
  void nothingIsAssignedBeforeTheConnectorHas() {
    assign(Set.of(A0, B0), FIRST);
    assertFalse(assigner.done());
    assertEquals(List.of(), consumer.assigned);
  }

  @Test
  void onlyANewPartitionIsReadFromTheBeginning() {
    begin();
    assign(Set.of(A0, A1, B0), FIRST);
    assertTrue(assigner.done());
    assertEquals(List.of(Set.of(A0, A1, B0)), consumer.assigned);
    assertEquals(List.of(Set.of(A1)), consumer.sought);
    assertEquals(Set.of(), consumer.paused());
  }

  @Test
  void aNewPartitionIsPausedWhileTheConnectorHasPausedTheOthers() {
    begin();
    consumer.pause(Set.of(A0, B0));
    assign(Set.of(A0, A1, B0), FIRST);
    assertEquals(Set.of(A0, A1, B0), consumer.paused());
  }

  @Test
  void aTopicThatStartsOverIsForgottenAndReadFromTheBeginning() {
    begin();
    assign(Set.of(A0, B0), A_AGAIN);
    assertTrue(assigner.done());
    assertEquals(List.of(Set.of(B0), Set.of(A0, B0)), consumer.assigned);
    assertEquals(List.of(Set.of(A0)), consumer.sought);
  }

  @Test
  void allThatWasAssignedStaysSoAndPausedWhileNoBrokerAnswers() {
    begin();
    consumer.pause(Set.of(A0, B0));
    consumer.brokersAnswer = false;
    for (int i = 0; i < 3; i++) {
      assign(Set.of(A0, B0), A_AGAIN);
      assertFalse(assigner.done());
      assertEquals(Set.of(A0, B0), consumer.assignment());
      assertEquals(Set.of(A0, B0), consumer.paused());
    }
    assertEquals(List.of(), consumer.sought);
    consumer.brokersAnswer = true;
    assign(Set.of(A0, B0), A_AGAIN);
    assertTrue(assigner.done());
    assertEquals(Set.of(A0, B0), consumer.paused());
    assertEquals(List.of(Set.of(A0)), consumer.sought);
  }

  @Test
  void nothingIsGivenToAChannelThatIsGone() {
    ChannelAssigner alone = new ChannelAssigner(FakeChannel.gone(), polls());
    alone.assign(Set.of(A0), FIRST);
    assertFalse(alone.done());
  }
}
