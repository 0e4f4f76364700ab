package io.steadfs.mds.op.check;

import com.google.protobuf.MessageLite;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;

/** A scan of a table of this shard, page by page, for a check of the file system. For the superuser. */
abstract class TableScan<Q extends MessageLite> extends NamespaceQuery<Q> {
    private final String what;

    /** @param what is scanned, for whom it is refused */
    TableScan(Kind kind, String what) {
        super(kind);
        this.what = what;
    }

    @Override
    public final MessageLite look(Q request, Context context) throws Refused {
        Permissions.checkSuperuser(context.principal(), what);
        return reply(request, page(request, context.view()), context);
    }

    /** The page that the request asks for. */
    abstract ScanPage page(Q request, ReadView view) throws Refused;

    /** What the reply says of the rows of the page. */
    abstract MessageLite reply(Q request, ScanPage page, Context context);
}
