package io.steadfs.mds.op.layout;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.op.ground.NamespaceLimits;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import java.util.function.ToLongFunction;

/**
 * Wraps an operation that makes a file. The wrapper refuses with INVALID_ARGUMENT if the file asks for smaller blocks
 * than {@link NamespaceLimits#leastBlockBytes}. If a file asks for no block size, the file gets the cluster's default.
 * The limit does not apply to the cluster's default block size.
 */
public final class WithinBlockFloor<Q extends MessageLite> implements Operation<Q> {
    private final Kind kind;
    private final NamespaceLimits limits;
    private final ToLongFunction<Q> blockSize;
    private final Operation<Q> operation;

    /** @param blockSize reads the requested block size from a request; 0 = none is requested */
    public WithinBlockFloor(Kind kind, NamespaceLimits limits, ToLongFunction<Q> blockSize, Operation<Q> operation) {
        this.kind = kind;
        this.limits = limits;
        this.blockSize = blockSize;
        this.operation = operation;
    }

    @Override
    public Decision<Reply> decide(Q request, Principal principal, ReadView view, Inputs inputs) {
        long bytes = blockSize.applyAsLong(request);
        long least = limits.leastBlockBytes();
        if (bytes != 0 && Long.compareUnsigned(bytes, least) < 0) {
            return Decision.of(Reply.refused(
                    kind,
                    FsError.INVALID_ARGUMENT,
                    "block size " + bytes + " is below the least one of " + least + " bytes ("
                            + NamespaceLimits.LEAST_BLOCK_BYTES.name() + ")"));
        }
        return operation.decide(request, principal, view, inputs);
    }
}
