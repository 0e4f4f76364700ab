package io.steadfs.store.format;

import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.memory.MemoryStore;
import java.io.IOException;

/** A store whose process dies in a commit. */
final class DyingStore implements Store {
    private final MemoryStore store;
    private final int dies;
    private final boolean keeps;
    private int commits;

    /**
     * @param dies number of the commit in which it dies, from 1; 0 = it lives
     * @param keeps whether the disk has that commit
     */
    DyingStore(MemoryStore store, int dies, boolean keeps) {
        this.store = store;
        this.dies = dies;
        this.keeps = keeps;
    }

    int commits() {
        return commits;
    }

    @Override
    public ReadView committed() {
        return store.committed();
    }

    @Override
    public Snapshot snapshot() {
        return store.snapshot();
    }

    @Override
    public Overlay overlay() {
        return store.overlay();
    }

    @Override
    public void commit(Overlay overlay, boolean sync) throws IOException {
        commits++;
        if (commits == dies) {
            store.failNextCommit(keeps);
        }
        store.commit(overlay, sync);
    }

    @Override
    public void close() {
        store.close();
    }

    @Override
    public String toString() {
        return "store in shard-0";
    }
}
