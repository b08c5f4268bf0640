package io.tablecast.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tablecast.table.TopicId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The delivery contract against a model: a random log, two replicas that follow it at their own
 * pace and in their own order, and clients that come, ask for frames as they like, leave, and
 * resume on either replica.
 */
class FanoutModelTest {
  private static final int RUNS = Integer.getInteger("tablecast.model.runs", 400);
  private static final int STEPS = 400;

  @Test
  void everyClientHoldsTheFoldOfTheLogAtEveryToken() {
    long first = Long.getLong("test.seed", System.nanoTime());
    for (int run = 0; run < RUNS; run++) {
      long seed = first + run;
      try {
        new Run(new Random(seed)).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "-Dtest.seed=" + seed + " -Dtablecast.model.runs=1: " + e.getMessage(), e);
      }
    }
  }

  private static final class Run {
    private final Random random;
    private final LogModel log;
    private final List<Replica> replicas = new ArrayList<>();
    private final List<ModelClient> clients = new ArrayList<>();
    private final boolean contested;
    private final int keys;
    private long value;

    Run(Random random) {
      this.random = random;
      log = new LogModel(1 + random.nextInt(3));
      contested = random.nextInt(3) == 0;
      keys = 1 + random.nextInt(40);
      for (int i = random.nextInt(100); i > 0; i--) {
        produce();
      }
      int frame = random.nextBoolean() ? 200 : 64 * 1024;
      for (int i = 0; i < 2; i++) {
        replicas.add(new Replica(log, new TopicId(1, 2), frame, 5_000));
        if (random.nextBoolean()) {
          replicas.get(i).followAll();
        }
      }
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        step();
      }
      settle();
    }

    private void step() {
      Replica replica = replicas.get(random.nextInt(2));
      switch (random.nextInt(24)) {
        case 0, 1, 2, 3, 4 -> produce();
        case 5, 6 -> {
          if (replica.caughtUp) {
            replica.follow(random, random.nextInt(20));
          } else {
            replica.followAll();
          }
        }
        case 7 -> connect(replica);
        case 8 -> leave();
        case 9 -> rare(replica);
        case 10 -> replica.clean(retention(), random.nextInt(5_000));
        case 11, 12 -> replica.loop.advance(random.nextInt(3_000));
        case 13, 14, 15, 16, 17 -> replica.loop.step();
        default -> demand();
      }
    }

    /**
     * A tombstone that is forgotten can't win against another partition any more, here as in Kafka:
     * not part of this model.
     */
    private long retention() {
      return contested ? Long.MAX_VALUE / 2 : random.nextBoolean() ? 0 : 10_000;
    }

    private void rare(Replica replica) {
      switch (random.nextInt(6)) {
        case 0 -> replica.startOver();
        case 1, 2 -> {
          replica.staleSince = replica.staleSince == 0 ? 77 : 0;
          replica.publish();
        }
        case 3 -> replica.followStarts();
        case 4 -> {
          int p = random.nextInt(log.starts.length);
          log.starts[p] += random.nextInt((int) (log.partitions.get(p).size() - log.starts[p]) + 1);
        }
        default ->
            clients.stream().filter(c -> c.connected() && c.open).findAny().ifPresent(this::again);
      }
    }

    private void again(ModelClient c) {
      c.unsubscribe();
      c.request(1);
      c.drop();
    }

    private void produce() {
      int k = random.nextInt(keys);
      int p =
          contested && random.nextInt(4) == 0
              ? random.nextInt(log.partitions.size())
              : k % log.partitions.size();
      String v =
          random.nextInt(4) == 0
              ? null
              : "{\"v\":"
                  + value++
                  + (random.nextInt(20) == 0 ? ",\"pad\":\"" + "x".repeat(300) + "\"" : "")
                  + "}";
      log.append(p, contested ? random.nextInt(100) : value, "k" + k, v);
    }

    private void connect(Replica replica) {
      List<ModelClient> away = clients.stream().filter(c -> !c.connected()).toList();
      ModelClient c;
      if (away.isEmpty() || random.nextBoolean() && clients.size() < 12) {
        List<String> some = new ArrayList<>();
        List<String> prefixes = new ArrayList<>();
        if (random.nextBoolean()) {
          for (int i = random.nextInt(4); i >= 0; i--) {
            some.add("k" + random.nextInt(keys + 2));
          }
        }
        if (random.nextInt(3) == 0) {
          prefixes.add(random.nextInt(5) == 0 ? "" : "k" + random.nextInt(4));
        }
        c =
            new ModelClient(
                log,
                ModelClient.options(
                    some, prefixes, random.nextInt(3) == 0 ? random.nextInt(2_000) : 0));
        clients.add(c);
      } else {
        c = away.get(random.nextInt(away.size()));
      }
      c.connect(replica);
    }

    private void leave() {
      List<ModelClient> here = clients.stream().filter(ModelClient::connected).toList();
      if (!here.isEmpty()) {
        here.get(random.nextInt(here.size())).drop();
      }
    }

    private void demand() {
      List<ModelClient> here = clients.stream().filter(ModelClient::connected).toList();
      if (!here.isEmpty()) {
        here.get(random.nextInt(here.size())).request(1 + random.nextInt(3));
      }
    }

    /** Everything is followed and everybody reads: then every map is the fold of the whole log. */
    private void settle() {
      for (Replica r : replicas) {
        r.staleSince = 0;
        r.followAll();
        r.followStarts();
      }
      for (ModelClient c : clients) {
        if (!c.connected()) {
          c.connect(replicas.get(random.nextInt(2)));
        }
        c.request(1_000_000);
      }
      replicas.forEach(r -> r.loop.advance(10_000));
      for (ModelClient c : clients) {
        assertTrue(c.live && !c.stale, "not live at the end, mode " + c.mode);
        var whole = new ModelClient(log, ModelClient.options(List.of(), List.of(), 0));
        whole.connect(replicas.get(0));
        whole.request(1_000_000);
        replicas.get(0).loop.drain();
        whole.map.keySet().removeIf(k -> !c.matches(k));
        assertEquals(whole.map, c.map, "the map at the end");
        whole.drop();
      }
    }
  }
}
