package io.steadfs.client.create;

import io.steadfs.layout.Layout;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Like the {@link UnifiedCreate unified} create with a datafile for each column, but the directory's shard takes the datafiles out of
 * leases of its own, and the client leases nothing. Where the shard has no handle of some server, that column has no datafile until its
 * first write. One step, one message; the shard pays N/L.
 */
final class DelegatedCreate implements CreateProtocol {
    @Override
    public CompletableFuture<Made> create(FileSpec spec) {
        return UnifiedCreate.create(spec, spec.options().width(), List.of(), Layout.MOST_COLUMNS);
    }
}
