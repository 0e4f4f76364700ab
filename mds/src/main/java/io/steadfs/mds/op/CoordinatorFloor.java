package io.steadfs.mds.op;

import io.steadfs.error.FsError;
import io.steadfs.mds.intent.FloorRaised;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.List;

/** What every message of a coordinator tells beside its purpose: below which number all its intents are closed. */
final class CoordinatorFloor {
    /** Tombstones cleared at a time. */
    private static final int MOST = 256;

    private CoordinatorFloor() {}

    static void check(int coordinator, long intent, long lowestOpen, Context context) throws Refused {
        int shards = Math.max(1, context.inputs().cluster().getShardCount());
        if (coordinator < 0 || coordinator >= shards) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "coordinator " + Integer.toUnsignedString(coordinator) + " is none of " + shards + " shards");
        }
        if (intent < 1 || lowestOpen < 1 || lowestOpen > intent) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "intent " + intent + " of shard " + coordinator + " with lowest open intent " + lowestOpen);
        }
    }

    /**
     * Adds the record that raises the floor, if the message raises it: not beyond tombstones that are left for the next
     * message, so that none is ever below the floor and the search for them begins there.
     */
    static void raise(ReadView view, int coordinator, long lowestOpen, List<LogRecord> records) {
        long floor = PreparedSlots.floor(view, coordinator);
        if (lowestOpen <= floor) {
            return;
        }
        List<Long> below = PreparedSlots.finished(view, coordinator, floor, lowestOpen, MOST);
        long raised = below.size() < MOST ? lowestOpen : below.get(MOST - 1) + 1;
        records.add(new FloorRaised(coordinator, raised, below));
    }
}
