package io.steadfs.client;

import io.steadfs.client.call.Courier;
import io.steadfs.client.create.LeasedHandles;
import io.steadfs.client.create.PoolOptions;
import io.steadfs.config.Settings;
import java.util.concurrent.CompletableFuture;

/**
 * Holds the handles that a client has leased from the servers.
 *
 * @param precreated leased handles whose datafiles exist already
 * @param handlesOnly leased handles without datafiles
 */
record ClientLeases(LeasedHandles precreated, LeasedHandles handlesOnly) {

    /** @param name name of the client, shown to people */
    static ClientLeases of(Courier courier, TraceIds traces, String name, Settings settings, ClientRandom random) {
        // The servers identify the client by this number.
        long holder = random.holder();
        return new ClientLeases(
                leased(courier, traces, holder, name, settings, true, random),
                leased(courier, traces, holder, name, settings, false, random));
    }

    private static LeasedHandles leased(
            Courier courier,
            TraceIds traces,
            long holder,
            String name,
            Settings settings,
            boolean precreated,
            ClientRandom random) {
        return new LeasedHandles(
                courier,
                traces.operation("leases"),
                holder,
                name,
                PoolOptions.of(settings),
                precreated,
                random.below(1 << 16));
    }

    /** Gives up all leases. The future always completes normally. */
    CompletableFuture<Void> close() {
        return CompletableFuture.allOf(precreated.close(), handlesOnly.close());
    }
}
