package io.steadfs.mds.op.ground;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import java.util.Optional;
import java.util.Set;

/**
 * Wraps an operation that makes the store permanently larger. The wrapper refuses the operation with NO_SPACE if the
 * free disk space is below the reserve. Operations that end or remove something are not wrapped, because they use a
 * little of the reserve and later free more.
 */
public final class UnlessDiskFull<Q extends MessageLite> implements Operation<Q> {
    /** The kinds of requests whose operations are wrapped. */
    public static final Set<Kind> GROWING = Set.of(
            Kind.CREATE,
            Kind.CREATE_SYMLINK,
            Kind.CREATE_METAFILE,
            Kind.LINK,
            Kind.MKDIRS,
            Kind.SET_XATTR,
            Kind.APPEND);

    private final Kind kind;
    private final Operation<Q> operation;

    /** @param kind one of {@link #GROWING} */
    public UnlessDiskFull(Kind kind, Operation<Q> operation) {
        if (!GROWING.contains(kind)) {
            throw new IllegalArgumentException(kind + " is not among " + GROWING);
        }
        this.kind = kind;
        this.operation = operation;
    }

    @Override
    public Decision<Reply> decide(Q request, Principal principal, ReadView view, Inputs inputs) {
        Optional<String> full = inputs.full();
        return full.isPresent()
                ? Decision.of(Reply.refused(kind, FsError.NO_SPACE, full.get()))
                : operation.decide(request, principal, view, inputs);
    }
}
