package io.tablecast.table;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The newest record of each partition that holds one contested key. Writer only. */
final class Candidates {
  private final byte[] key;
  private final List<Candidate> all = new ArrayList<>(2);

  Candidates(byte[] key) {
    this.key = key;
  }

  byte[] key() {
    return key;
  }

  /** Takes the place of the record of the same partition. */
  void put(Candidate candidate) {
    all.removeIf(c -> c.partition() == candidate.partition());
    all.add(candidate);
  }

  /** Removes and returns the partition's record if its offset is lower; null if there is none. */
  @Nullable Candidate removeBelow(int partition, long offset) {
    for (int i = 0; i < all.size(); i++) {
      Candidate candidate = all.get(i);
      if (candidate.partition() == partition) {
        return candidate.offset() < offset ? all.remove(i) : null;
      }
    }
    return null;
  }

  boolean areSeveral() {
    return all.size() > 1;
  }

  /** The one that is shown; null if none is left. */
  @Nullable Candidate winner() {
    Candidate winner = null;
    for (Candidate candidate : all) {
      if (winner == null || candidate.beats(winner)) {
        winner = candidate;
      }
    }
    return winner;
  }
}
