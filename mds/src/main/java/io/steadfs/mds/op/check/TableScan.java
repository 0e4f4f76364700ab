package io.steadfs.mds.op.check;

import com.google.protobuf.MessageLite;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;

/**
 * Scans a table of this shard for a check of the file system. Each request reads one page. Only the superuser may send
 * such a request.
 */
abstract class TableScan<Q extends MessageLite> extends NamespaceQuery<Q> {
    private final String what;

    /** @param what the action, such as "scan names", for the message of a refusal */
    TableScan(Kind kind, String what) {
        super(kind);
        this.what = what;
    }

    @Override
    public final MessageLite look(Q request, Context context) throws Refused {
        Permissions.checkSuperuser(context.principal(), what);
        return reply(request, page(request, context.view()), context);
    }

    /** Reads the page that the request asks for. */
    abstract ScanPage page(Q request, ReadView view) throws Refused;

    /** Makes the reply from the rows of the page. */
    abstract MessageLite reply(Q request, ScanPage page, Context context);
}
