package io.steadfs.mds.op.ground;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Location;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;

/**
 * Wraps an operation that gives something a name. The wrapper refuses the operation with NAME_TOO_LONG if a name in the
 * path is too long. The wrapper also refuses a path with too many names. The limits apply to the path in the request.
 * If another shard sent the walk on, the request has only the rest of the path.
 */
public final class WithinNameLimits<Q extends MessageLite> implements Operation<Q> {
    private final Kind kind;
    private final NamespaceLimits most;
    private final Function<Q, Location> name;
    private final Operation<Q> operation;

    private WithinNameLimits(Kind kind, NamespaceLimits most, Function<Q, Location> name, Operation<Q> operation) {
        this.kind = kind;
        this.most = most;
        this.name = name;
        this.operation = operation;
    }

    /** @param name finds the new name or path in a request */
    public static <Q extends MessageLite> Operation<Q> of(
            Kind kind, NamespaceLimits most, Function<Q, Location> name, Operation<Q> operation) {
        return most.allowEveryPath() ? operation : new WithinNameLimits<>(kind, most, name, operation);
    }

    @Override
    public Decision<Reply> decide(Q request, Principal principal, ReadView view, Inputs inputs) {
        Optional<String> refusal = refusal(name.apply(request).getPath());
        return refusal.isPresent()
                ? Decision.of(Reply.refused(kind, FsError.NAME_TOO_LONG, refusal.get()))
                : operation.decide(request, principal, view, inputs);
    }

    private Optional<String> refusal(String text) {
        FsPath path;
        try {
            path = FsPath.parse(text);
        } catch (FsException e) {
            // The operation itself refuses this path and says why.
            return Optional.empty();
        }
        if (path.components().size() > most.pathNames()) {
            return Optional.of("a path of " + path.components().size() + " names, at most " + most.pathNames() + " ("
                    + NamespaceLimits.PATH_NAMES.name() + ")");
        }
        for (String each : path.components()) {
            int bytes = each.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > most.nameBytes()) {
                return Optional.of("a name of " + bytes + " bytes, at most " + most.nameBytes() + " ("
                        + NamespaceLimits.NAME_BYTES.name() + "): '" + each + "'");
            }
        }
        return Optional.empty();
    }
}
