package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.mds.intent.FloorRaised;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.KnownShards;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.List;

/**
 * Checks and raises the floor of a coordinator. All intents of the coordinator with numbers below the floor are closed.
 * If the floor were too high, this shard would refuse prepares of the coordinator forever. So no message from another
 * server raises the floor. Instead, this shard asks the coordinator for the floor and then submits {@link RaiseFloor}.
 */
final class CoordinatorFloor {
    /**
     * The largest number of tombstones that one decision clears. A tombstone is the record of a finished intent. No tombstone is below
     * the floor, so the search for tombstones begins at the floor.
     */
    private static final int MOST = 256;

    private CoordinatorFloor() {}

    static void check(int coordinator, long intent, long lowestOpen, Context context) throws Refused {
        KnownShards.require(coordinator, "the coordinator", context);
        if (intent < 1 || intent > Intents.MOST || lowestOpen < 1 || lowestOpen > intent) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "intent " + intent + " of shard " + coordinator + " with lowest open intent " + lowestOpen);
        }
    }

    /**
     * Adds the record that raises the floor to {@code lowestOpen}, if the floor is lower. The record also clears the
     * tombstones below the new floor. If one decision cannot clear all these tombstones, the new floor is just above
     * the last cleared tombstone.
     *
     * @return the new floor
     */
    static long raise(ReadView view, int coordinator, long lowestOpen, List<LogRecord> records) {
        long floor = PreparedSlots.floor(view, coordinator);
        if (lowestOpen <= floor) {
            return floor;
        }
        List<Long> below = PreparedSlots.finished(view, coordinator, floor, lowestOpen, MOST);
        long raised = below.size() < MOST ? lowestOpen : below.get(MOST - 1) + 1;
        records.add(new FloorRaised(coordinator, raised, below));
        return raised;
    }
}
