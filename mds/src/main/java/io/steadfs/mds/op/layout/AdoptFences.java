package io.steadfs.mds.op.layout;

import io.steadfs.handle.HandleRange;
import io.steadfs.mds.fence.Fences;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;

/** Fences handles that another shard has fenced. Answers true. Repeating the command does no harm. */
public final class AdoptFences extends InternalCommand<Boolean> {
    private final List<HandleRange> ranges;

    public AdoptFences(List<HandleRange> ranges) {
        this.ranges = List.copyOf(ranges);
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        return new Decision<>(fenced(view, ranges), true);
    }

    /** The records that fence the handles. */
    static List<LogRecord> fenced(ReadView view, List<HandleRange> ranges) {
        List<LogRecord> records = new ArrayList<>(Fences.add(view, ranges));
        records.addAll(DropLeases.fenced(view, ranges));
        return records;
    }
}
