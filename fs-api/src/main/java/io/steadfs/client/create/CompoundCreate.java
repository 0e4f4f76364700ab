package io.steadfs.client.create;

import io.steadfs.client.call.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;

/**
 * The compound create of "File Creation Strategies in a Distributed Metadata File System", section 3.2. It makes the datafiles of all
 * columns at once, then a metafile on a random shard that lists them, then the dirent. Three steps, N + 2 messages. When the datafiles are
 * made there is no metafile yet, so each of them is a lease of one handle. If the create goes no further, they are cleaned up as for any
 * lease.
 */
final class CompoundCreate implements CreateProtocol {
    private final IntUnaryOperator random;

    CompoundCreate(IntUnaryOperator random) {
        this.random = random;
    }

    @Override
    public CompletableFuture<Made> create(FileSpec spec) {
        return Futures.then(
                new LeasedColumns.Persistent(
                                spec,
                                spec.leased(),
                                (cluster, width) -> spec.leased()
                                        .single(spec.courier(), spec.operation(), cluster, width, spec.nearServer()))
                        .begin(),
                datafiles -> PrecreatedCreate.createWith(spec, datafiles, random));
    }
}
