package io.steadfs.client.create;

import io.steadfs.client.call.Futures;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;

/**
 * Makes a file by the compound create of "File Creation Strategies in a Distributed Metadata File System", section 3.2.
 * The client first makes the datafiles of all columns at once. Then the client makes a metafile with these datafiles on
 * a random shard, and finally the dirent. A create takes three steps and N + 2 messages for N columns. Each datafile is
 * made under a lease of one handle, because there is no metafile yet. If the create fails, the IO servers clean up the
 * datafiles after the leases have ended.
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
