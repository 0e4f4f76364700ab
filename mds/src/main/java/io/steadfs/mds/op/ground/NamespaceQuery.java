package io.steadfs.mds.op.ground;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.pipeline.Query;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;

/**
 * A query on the namespace. Its steps refuse by throwing {@link Refused}. On a snapshot its answer is true of one moment. On
 * the moving committed state each row is true of its own moment. If a dirent and its object disagree, because one was
 * replaced in between, the query looks again.
 */
public abstract class NamespaceQuery<Q extends MessageLite> implements Query<Q> {
    /** Most looks. After them a dirent that leads to nothing cannot be explained by a race. */
    private static final int LOOKS = 10;

    private final Kind kind;

    public NamespaceQuery(Kind kind) {
        this.kind = kind;
    }

    @Override
    public final Reply answer(Q request, Principal principal, ReadView view, Inputs inputs) {
        String dangling = "";
        for (int look = 0; look < LOOKS; look++) {
            try {
                return Reply.ok(look(request, new Context(principal, view, inputs)));
            } catch (Refused refused) {
                return refused.reply(kind);
            } catch (DanglingDirent e) {
                dangling = String.valueOf(e.getMessage());
            }
        }
        return Reply.refused(kind, FsError.FAULT, dangling);
    }

    public abstract MessageLite look(Q request, Context context) throws Refused;
}
