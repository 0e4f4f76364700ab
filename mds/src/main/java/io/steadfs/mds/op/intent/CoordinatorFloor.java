package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.mds.intent.FloorRaised;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.List;

/**
 * The number below which all intents of a coordinator are closed. If it were raised too far, the coordinator's prepares would
 * be refused forever. So no message raises it: this shard asks the coordinator itself ({@link RaiseFloor}).
 */
final class CoordinatorFloor {
    /**
     * Number of tombstones (records of finished intents) cleared at a time. No tombstone is below the floor, so the search
     * for them begins there.
     */
    private static final int MOST = 256;

    private CoordinatorFloor() {}

    static void check(int coordinator, long intent, long lowestOpen, Context context) throws Refused {
        int shards = Math.max(1, context.inputs().cluster().getShardCount());
        if (coordinator < 0 || coordinator >= shards) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "coordinator " + Integer.toUnsignedString(coordinator) + " is none of " + shards + " shards");
        }
        if (intent < 1 || intent > Intents.MOST || lowestOpen < 1 || lowestOpen > intent) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "intent " + intent + " of shard " + coordinator + " with lowest open intent " + lowestOpen);
        }
    }

    /**
     * Adds the record that raises the floor, if the floor is lower than the number. If tombstones remain for the next time,
     * the floor stops at them.
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
