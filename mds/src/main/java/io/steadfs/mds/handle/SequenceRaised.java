package io.steadfs.mds.handle;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that all numbers below {@code next} have been given out under the incarnation. */
public record SequenceRaised(int incarnation, long next) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.META, HandleSequence.key(incarnation), Keys.of(next));
    }
}
