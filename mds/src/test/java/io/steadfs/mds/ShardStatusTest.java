package io.steadfs.mds;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.mds.duty.HandOvers;
import io.steadfs.mds.intent.SlotsCounted;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.partition.GivingSet;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.mds.pipeline.ShardLimits;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileCount;
import io.steadfs.mds.session.FilesCounted;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.NoCopies;
import io.steadfs.mds.testing.Outcome;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.proto.StatusReply;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShardStatusTest {
    private final LocalLog log = new LocalLog(new MemoryStore(ShardTables.ALL));
    private final Recounts recounts = new Recounts(2);
    private final HandOvers handOvers = new HandOvers(new SystemClock());
    private final ShardCore core = new ShardCore(
            log,
            committed -> FixedInputs.now(),
            new ShardLimits(10, 1 << 20, 10, 1 << 20),
            ShardService.TOTALS,
            recounts);
    private final ShardStatus status = new ShardStatus(
            1, 2, new SystemClock(), log, core, NoCopies.of(), recounts, handOvers, () -> FixedInputs.CLUSTER, Map::of);

    private StatusReply after(LogRecord... records) {
        core.submit(new Outcome<>((view, inputs) -> Decision.of(true, records)));
        core.step();
        return status.get();
    }

    /** Rows of open files are not looked at: there are none here. */
    @Test
    void filesAreWhatTheCountsOfAllSessionsComeTo() {
        StatusReply reply = after(
                new FilesCounted(5, new FileCount(12_000, 3), Optional.empty()),
                new FilesCounted(-5, new FileCount(30, 4), Optional.empty()));
        assertThat(reply.getGaugesMap())
                .containsEntry("metafiles.written", 12_030L)
                .containsEntry("metafiles.unlinked", 7L);
        assertThat(reply.getCountersMap()).containsEntry("counts.recounted", 0L);
    }

    @Test
    void countsThatWereWrongAreCounted() {
        after(new FilesCounted(5, new FileCount(1, 0), Optional.of("the count of session 5 was wrong")));
        StatusReply reply = after(
                new FilesCounted(5, new FileCount(2, 0), Optional.empty()),
                new SlotsCounted(1, 2, Optional.of("the count of slots of shard 1 was wrong")));
        assertThat(reply.getCountersMap()).containsEntry("counts.recounted", 2L);
    }

    /** The shard is the home of one directory with four partitions, and has one partition of another. */
    @Test
    void partitionsAreThoseWhoseNamesAreHere() {
        Handle home = Handle.of(Handle.shardOwner(2), 0, 5);
        Handle other = Handle.of(Handle.shardOwner(3), 0, 5);
        StatusReply reply = after(
                entry(home, 0, home, false),
                entry(home, 1, other, false),
                entry(home, 2, Handle.of(Handle.shardOwner(2), 0, 6), false),
                entry(home, 3, Handle.of(Handle.shardOwner(2), 0, 7), true),
                entry(other, 1, Handle.of(Handle.shardOwner(2), 0, 8), false),
                new GivingSet(home, GivingRow.getDefaultInstance()));
        assertThat(reply.getGaugesMap())
                .containsEntry("partitions.owned", 3L)
                .containsEntry("partitions.directories", 1L)
                .containsEntry("partitions.giving", 1L);
    }

    private static MapEntrySet entry(Handle directory, int number, Handle partition, boolean isStaged) {
        return new MapEntrySet(directory, new MapEntry(new Partition(number, 2, partition), isStaged));
    }
}
