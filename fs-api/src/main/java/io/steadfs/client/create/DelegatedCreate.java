package io.steadfs.client.create;

import io.steadfs.layout.Layout;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Makes a file like the {@link UnifiedCreate unified} create with leased datafiles, but the directory's shard has
 * leased the datafiles. The client leases nothing. If the shard has no handle of a column's IO server, the column has
 * no datafile until its first write. A create takes one step and one message. The shard sends N/L messages for leases,
 * with N columns and L handles in a lease.
 */
final class DelegatedCreate implements CreateProtocol {
    @Override
    public CompletableFuture<Made> create(FileSpec spec) {
        return UnifiedCreate.create(spec, spec.options().width(), List.of(), Layout.MOST_COLUMNS);
    }
}
