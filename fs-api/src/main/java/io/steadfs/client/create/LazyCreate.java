package io.steadfs.client.create;

import java.util.concurrent.CompletableFuture;

/**
 * Like the {@link UnifiedCreate unified} create with a datafile for each column, but the handles are leased without datafiles: the first
 * write makes each of them. This protocol is for comparison with precreation: the file is the same, and the IO server's work comes later
 * instead of earlier. One step, 1 + N/L messages.
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
