package io.steadfs.mds.duty;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.mds.partition.GivingGone;
import io.steadfs.mds.partition.GivingSet;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.partition.proto.GivingRow.What;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.simulation.SimulatedTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HandOversTest {
    private static final Handle WIDE = Handle.of(Handle.FIRST_SHARD_OWNER, 0, 7);

    private final SimulatedTime time = new SimulatedTime(1);
    private final HandOvers handOvers = new HandOvers(time);

    private void after(long millis, LogRecord record) {
        time.runFor(millis);
        handOvers.committed(List.of(record));
    }

    private void begin() {
        after(500, new GivingSet(WIDE, GivingRow.getDefaultInstance()));
    }

    private void counted(long splits, long merges, long kept, long names, long micros) {
        assertThat(handOvers.counters())
                .isEqualTo(Map.of(
                        "partitions.splits", splits,
                        "partitions.merges", merges,
                        "partitions.moves", 0L,
                        "partitions.halvings", 0L,
                        "partitions.kept", kept,
                        "partitions.moved.names", names,
                        "partitions.moved.micros", micros));
    }

    @Test
    void endsAreCounted() {
        begin();
        after(20, GivingGone.given(WIDE, What.UPPER_HALF, 4_000));
        counted(1, 0, 0, 4_000, 20_000);
        begin();
        after(5, GivingGone.given(WIDE, What.MERGED, 10));
        counted(1, 1, 0, 4_010, 25_000);
        begin();
        after(7, GivingGone.kept(WIDE));
        counted(1, 1, 1, 4_010, 25_000);
    }

    @Test
    void beginIsKnownWhileNamesAreGiven() {
        assertThat(handOvers.sinceMillis(WIDE)).isEmpty();
        begin();
        assertThat(handOvers.sinceMillis(WIDE)).hasValue(time.wallMillis());
        time.runFor(10_000);
        assertThat(handOvers.sinceMillis(WIDE)).hasValue(time.wallMillis() - 10_000);
        after(1, GivingGone.given(WIDE, What.UPPER_HALF, 1));
        assertThat(handOvers.sinceMillis(WIDE)).isEmpty();
    }

    /** What an earlier process began has no time of its own. */
    @Test
    void handOverThatBeganBeforeTheStartIsCounted() {
        after(20, GivingGone.given(WIDE, What.UPPER_HALF, 3));
        counted(1, 0, 0, 3, 0);
    }
}
