package io.steadfs.mds.op.intent;

import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;

/**
 * Raises the floor of a coordinator to a number that the coordinator gave. The coordinator has closed all its intents
 * with lower numbers. The command clears some tombstones of closed intents. Answers whether more tombstones must be
 * cleared.
 */
public final class RaiseFloor extends InternalCommand<Boolean> {
    private final int coordinator;
    private final long lowestOpen;

    public RaiseFloor(int coordinator, long lowestOpen) {
        this.coordinator = coordinator;
        this.lowestOpen = lowestOpen;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        List<LogRecord> records = new ArrayList<>();
        long floor = CoordinatorFloor.raise(view, coordinator, lowestOpen, records);
        return new Decision<>(records, floor < lowestOpen);
    }
}
