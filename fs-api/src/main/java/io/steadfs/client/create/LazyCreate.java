package io.steadfs.client.create;

import java.util.concurrent.CompletableFuture;

/**
 * Makes a file like the {@link UnifiedCreate unified} create with leased datafiles, but the leased handles have no
 * datafiles yet. The first write into a column makes that column's datafile. This protocol exists for comparison with
 * precreated datafiles. Both protocols make the same file, but here the IO server makes each datafile after the create
 * and not before the create. A create takes one step and 1 + N/L messages, with N columns and L handles in a lease.
 */
final class LazyCreate implements CreateProtocol {
    @Override
    public CompletableFuture<Made> create(FileSpec spec) {
        return LeasedColumns.with(
                spec,
                spec.handlesOnly(),
                handles -> UnifiedCreate.create(spec, handles.size(), LeasedHandles.columns(handles), 0));
    }
}
