package io.steadfs.mds.op.mend;

import io.steadfs.error.FsError;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Unsettled;
import io.steadfs.store.WriteView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.SettleReply;
import io.steadfs.wire.proto.SettleRequest;
import java.util.List;
import java.util.Optional;

/**
 * Ends the unsettled state of a shard. A check of the file system sends this request after the check has found nothing
 * wrong. After this request, an object that the shard does not know counts as not existing. Only the superuser may send
 * this request.
 */
public final class Settle extends NamespaceOperation<SettleRequest> {
    public Settle() {
        super(Kind.SETTLE_SHARD);
    }

    @Override
    public Decision<Reply> change(SettleRequest request, Context context) throws Refused {
        Permissions.checkSuperuser(context.principal(), "settle a shard");
        Optional<String> why = Unsettled.of(context.view(), ShardTables.META);
        List<LogRecord> records = List.of();
        if (!request.getSettles().isEmpty()) {
            if (why.isPresent() && !why.get().equals(request.getSettles())) {
                throw new Refused(
                        FsError.STALE_VERSION,
                        "shard " + context.inputs().shard() + " is not settled for another reason: " + why.get());
            }
            records = List.of(new Settled());
        }
        return done(SettleReply.newBuilder().setUnsettled(why.orElse("")).build(), records);
    }

    /** Settles the shard: from now on, an object that the shard does not know counts as not existing. */
    private record Settled() implements LogRecord {
        @Override
        public void replay(WriteView view) {
            Unsettled.settle(view, ShardTables.META);
        }
    }
}
