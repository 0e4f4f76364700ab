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
 * A query on the namespace. A step of the query throws {@link Refused} to refuse the request. On a snapshot, all rows
 * of the answer are from the same moment. Without a snapshot, each row is from a moment of its own. So a dirent may
 * lead to an object that was removed between two reads. If a dirent leads to no object, the query begins again.
 */
public abstract class NamespaceQuery<Q extends MessageLite> implements Query<Q> {
    /**
     * Greatest number of times that a query looks. If a dirent leads to no object every time, a race is not the cause.
     */
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
