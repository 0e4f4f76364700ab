package io.steadfs.client;

import io.steadfs.client.call.Courier;
import io.steadfs.client.create.LeasedHandles;
import io.steadfs.client.create.PoolOptions;
import io.steadfs.config.Settings;
import java.util.concurrent.CompletableFuture;

/**
 * Holds the handles that a client leases.
 *
 * @param precreated handles with datafiles
 * @param handlesOnly handles without datafiles
 */
record ClientLeases(LeasedHandles precreated, LeasedHandles handlesOnly) {

    /** @param name of the client, for people */
    static ClientLeases of(Courier courier, TraceIds traces, String name, Settings settings, ClientRandom random) {
        // The id by which the servers know the client.
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

    /** Gives up all leases. Completes normally in any case. */
    CompletableFuture<Void> close() {
        return CompletableFuture.allOf(precreated.close(), handlesOnly.close());
    }
}
