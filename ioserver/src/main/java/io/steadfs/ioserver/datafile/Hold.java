package io.steadfs.ioserver.datafile;

import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.Unsettled;
import java.io.IOException;
import java.util.Optional;

/**
 * Keeps the reason why the server's store is not settled: {@link Unsettled}. The reason is read once, at the opening of
 * the store. Thread-safe.
 */
public final class Hold {
    private final int serverId;
    private final Store store;
    private volatile Optional<String> why;

    public Hold(int serverId, Store store) {
        this.serverId = serverId;
        this.store = store;
        this.why = Unsettled.of(store.committed(), DatafileTables.META);
    }

    /** The reason; empty if the store is settled. */
    public Optional<String> why() {
        return why;
    }

    /** The text that the status shows; empty if the store is settled. */
    public Optional<String> problem() {
        return why().map(why -> Unsettled.problem("IO server " + serverId, why));
    }

    /** Settles the store. */
    public void end() throws IOException {
        try (Overlay rows = store.overlay()) {
            Unsettled.settle(rows, DatafileTables.META);
            store.commit(rows, true);
            why = Optional.empty();
        }
    }
}
