package io.steadfs.mds.op.check;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.Store;
import io.steadfs.store.scrub.StoreScrub;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ScrubStoreRequest;

/** Reads a part of the shard's store to find what cannot be read. Only the superuser may send this request. */
public final class ScrubStore extends NamespaceQuery<ScrubStoreRequest> {
    private final Store store;

    public ScrubStore(Store store) {
        super(Kind.SCRUB_STORE);
        this.store = store;
    }

    @Override
    public MessageLite look(ScrubStoreRequest request, Context context) throws Refused {
        Permissions.checkSuperuser(context.principal(), "read the whole store");
        try {
            return StoreScrub.answer(store, ShardTables.ALL, request);
        } catch (IllegalArgumentException e) {
            throw new Refused(FsError.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
        }
    }
}
