package io.tablecast.table;

/**
 * How far one partition has been read. Immutable.
 *
 * @param next the position: every record with a smaller offset that a read_committed reader can see
 *     has been applied
 * @param leaderEpoch the leader epoch of the record before {@code next} as far as known (KIP-320),
 *     else -1
 * @param start the offset at which the partition's log starts now; what lay before it has left the
 *     table
 * @param origin the offset at which its log started when this process began to read it: deletions
 *     of records at or above it are known here
 * @param caughtUpAt when reading first reached the end, in ms since the epoch; {@link
 *     Long#MAX_VALUE} before
 * @param epochs the leader epochs of what has been read
 */
public record PartitionFrontier(
    long next, int leaderEpoch, long start, long origin, long caughtUpAt, LeaderEpochs epochs) {}
