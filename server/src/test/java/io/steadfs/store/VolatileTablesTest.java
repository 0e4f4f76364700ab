package io.steadfs.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.store.memory.MemoryStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store with tables in the heap beside the durable ones. */
class VolatileTablesTest extends StoreContract {
    private static final Table CLAIM = new Table("claim");

    private MemoryStore durable = new MemoryStore(TABLES);

    @Override
    protected Store open() {
        durable = durable.reopen();
        return wrapped();
    }

    @Override
    protected Store crash(Store store) {
        durable = durable.crash();
        return wrapped();
    }

    private VolatileTables wrapped() {
        return new VolatileTables(durable, List.of(CLAIM));
    }

    @Test
    void rowsOfVolatileTablesAreReadWithTheOthersAndEndWithTheObject() throws IOException {
        Store store = open();
        try (Overlay overlay = store.overlay()) {
            overlay.put(CLAIM, bytes("a"), bytes("1"));
            overlay.put(META, bytes("a"), bytes("2"));
            assertThat(overlay.get(CLAIM, bytes("a"))).contains(bytes("1"));
            assertThat(rows(store.committed(), CLAIM)).isEmpty();
            store.commit(overlay, true);
        }
        assertThat(rows(store.committed(), CLAIM)).containsExactly("a=1");
        assertThat(rows(store.committed(), META)).containsExactly("a=2");
        try (Store.Snapshot snapshot = store.snapshot()) {
            commit(store, CLAIM, true, "a", "b=3");
            assertThat(rows(snapshot, CLAIM)).as("a snapshot reads the newest").containsExactly("b=3");
            assertThat(snapshot.newest().get(META, bytes("a"))).contains(bytes("2"));
        }
        assertThat(rows(crash(store).committed(), CLAIM)).isEmpty();
        assertThat(rows(wrapped().committed(), META)).containsExactly("a=2");
    }

    @Test
    void aCommitOfVolatileRowsAloneIsNoneOfTheDurableStore() throws IOException {
        Store store = wrapped();
        commit(store, META, true, "a=1");
        long syncs = durable.syncs();
        durable.failNextCommit();
        commit(store, CLAIM, true, "a=1", "b=2");
        assertThat(durable.syncs()).isEqualTo(syncs);
        assertThat(rows(store.committed(), CLAIM)).containsExactly("a=1", "b=2");
    }

    @Test
    void aFailedCommitDeletesNoVolatileRow() throws IOException {
        Store store = wrapped();
        commit(store, CLAIM, true, "a=1");
        durable.failNextCommit();
        try (Overlay overlay = store.overlay()) {
            overlay.delete(CLAIM, bytes("a"));
            overlay.put(META, bytes("a"), bytes("1"));
            assertThatThrownBy(() -> store.commit(overlay, true)).isInstanceOf(IOException.class);
        }
        assertThat(rows(store.committed(), CLAIM)).containsExactly("a=1");
    }

    /** What a reader may meet in the midst of a commit. */
    @Test
    void volatileRowsAppearBeforeTheDurableOnesAndDisappearAfterThem() throws IOException {
        List<List<String>> met = new ArrayList<>();
        VolatileTables[] whole = new VolatileTables[1];
        Store watched = new WatchedStore(durable, () -> met.add(rows(whole[0].committed(), CLAIM)));
        whole[0] = new VolatileTables(watched, List.of(CLAIM));
        try (Overlay overlay = whole[0].overlay()) {
            overlay.put(CLAIM, bytes("new"), bytes("1"));
            overlay.put(META, bytes("a"), bytes("1"));
            whole[0].commit(overlay, true);
        }
        try (Overlay overlay = whole[0].overlay()) {
            overlay.delete(CLAIM, bytes("new"));
            overlay.put(META, bytes("a"), bytes("2"));
            whole[0].commit(overlay, true);
        }
        assertThat(met).containsExactly(List.of("new=1"), List.of("new=1"));
        assertThat(rows(whole[0].committed(), CLAIM)).isEmpty();
    }

    @Test
    void liveRowsAreSeenAtOnce() throws IOException {
        VolatileTables store = wrapped();
        try (Overlay overlay = store.overlay()) {
            store.volatileRows().put(CLAIM, bytes("a"), bytes("1"));
            assertThat(rows(overlay, CLAIM)).containsExactly("a=1");
            store.volatileRows().delete(CLAIM, bytes("a"));
            assertThat(rows(overlay, CLAIM)).isEmpty();
        }
        assertThatThrownBy(() -> store.volatileRows().put(META, bytes("a"), bytes("1")))
                .hasMessageContaining("table meta")
                .hasMessageContaining("is not volatile");
    }

    private record WatchedStore(Store below, Runnable beforeCommit) implements Store {
        @Override
        public ReadView committed() {
            return below.committed();
        }

        @Override
        public Snapshot snapshot() {
            return below.snapshot();
        }

        @Override
        public Overlay overlay() {
            return below.overlay();
        }

        @Override
        public void commit(Overlay overlay, boolean sync) throws IOException {
            beforeCommit.run();
            below.commit(overlay, sync);
        }

        @Override
        public void close() {
            below.close();
        }
    }
}
