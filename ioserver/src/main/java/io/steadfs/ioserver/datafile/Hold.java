package io.steadfs.ioserver.datafile;

import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.Unsettled;
import java.io.IOException;
import java.util.Optional;

/** Why the server's store is not settled, if so: {@link Unsettled}. Read once, when the store is opened. Thread-safe. */
public final class Hold {
    private final int serverId;
    private final Store store;
    private volatile Optional<String> why;

    public Hold(int serverId, Store store) {
        this.serverId = serverId;
        this.store = store;
        this.why = Unsettled.of(store.committed(), DatafileTables.META);
    }

    /** Empty for a store that is to be trusted. */
    public Optional<String> why() {
        return why;
    }

    /** For the status. */
    public Optional<String> problem() {
        return why().map(why -> Unsettled.problem("IO server " + serverId, why));
    }

    /** It is settled from now on. */
    public void end() throws IOException {
        try (Overlay rows = store.overlay()) {
            Unsettled.settle(rows, DatafileTables.META);
            store.commit(rows, true);
            why = Optional.empty();
        }
    }
}
