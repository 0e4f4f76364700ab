package io.steadfs.ioserver.datafile;

import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.Unsettled;
import java.io.IOException;
import java.util.Optional;

/** Why the server's store is not settled, if so: {@link Unsettled}. Thread-safe. */
public final class Hold {
    private final int serverId;
    private final Store store;

    public Hold(int serverId, Store store) {
        this.serverId = serverId;
        this.store = store;
    }

    /** Empty for a store that is to be trusted. */
    public Optional<String> why() {
        return Unsettled.of(store.committed(), DatafileTables.META);
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
        }
    }
}
