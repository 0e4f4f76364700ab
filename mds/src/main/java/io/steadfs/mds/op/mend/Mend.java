package io.steadfs.mds.op.mend;

import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Damage;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.MendReply;
import io.steadfs.wire.proto.MendRequest;
import java.io.UncheckedIOException;

/**
 * Repairs one thing that a check of the file system found wrong: {@link Mending}. Only the superuser may send this
 * request.
 */
public final class Mend extends NamespaceOperation<MendRequest> {
    public Mend() {
        super(Kind.MEND);
    }

    @Override
    public Decision<Reply> change(MendRequest request, Context context) throws Refused {
        Permissions.checkSuperuser(context.principal(), "repair the file system");
        try {
            Mending.Mended mended = Mending.of(request).mend(context);
            return done(MendReply.newBuilder().setRemoved(mended.removed()).build(), mended.records());
        } catch (IllegalStateException | UncheckedIOException e) {
            throw Mending.stale("a row that the repair needs cannot be read: " + Damage.why(e));
        }
    }
}
