package io.steadfs.mds.testing;

import io.steadfs.mds.ShardService;
import io.steadfs.mds.pipeline.CommitListener;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.VolatileTables;
import io.steadfs.store.memory.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A state made of records, for tests that decide against it. */
public final class State {
    private final Store store;
    private CommitListener listener = records -> {};

    public State() {
        this(new MemoryStore(ShardTables.ALL));
    }

    private State(Store store) {
        this.store = store instanceof VolatileTables ? store : new VolatileTables(store, LifeTables.ALL);
    }

    /** An empty one in a store of the caller's. */
    public static State in(Store store) {
        return new State(store);
    }

    public static State of(LogRecord... records) {
        State state = new State();
        state.replay(List.of(records));
        return state;
    }

    public ReadView view() {
        return store.committed();
    }

    /** As {@link #view}, but what is replayed later does not change it. The caller closes it. */
    public Store.Snapshot snapshot() {
        return store.snapshot();
    }

    /** Replays the decision's records, and those of the counts that the writer adds, and gives its answer. */
    public <A> A apply(Decision<A> decision) {
        List<LogRecord> all = new ArrayList<>(decision.records());
        all.addAll(ShardService.TOTALS.of(decision.records(), view()));
        replay(all);
        return decision.answer();
    }

    /** Gives the records to the listener from now on. */
    public void listener(CommitListener each) {
        listener = each;
    }

    public void replay(List<LogRecord> records) {
        try (Overlay overlay = store.overlay()) {
            records.forEach(each -> each.replay(overlay));
            store.commit(overlay, true);
            listener.committed(records);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
