package io.steadfs.ioserver.datafile;

import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.Unsettled;
import java.io.IOException;
import java.util.Optional;

/** The reason why the server's store is not settled, if it is not: {@link Unsettled}. Read once, when the store is opened. Thread-safe. */
public final class Hold {
    private final int serverId;
    private final Store store;
    private volatile Optional<String> why;

    public Hold(int serverId, Store store) {
        this.serverId = serverId;
        this.store = store;
        this.why = Unsettled.of(store.committed(), DatafileTables.META);
    }

    /** The reason; empty for a store that can be trusted. */
    public Optional<String> why() {
        return why;
    }

    /** The text for the status. */
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
