package io.steadfs.mds.op;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.xattr.XattrSet;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.SetXattrReply;
import io.steadfs.wire.proto.SetXattrRequest;
import java.util.ArrayList;
import java.util.List;

/** Makes an extended attribute or replaces it, whichever the request allows. */
public final class SetXattr extends NamespaceOperation<SetXattrRequest> {
    /** Bytes of one value. */
    static final int MAX_VALUE_BYTES = 64 << 10;
    /** Extended attributes of one object. */
    static final int MAX_PER_OBJECT = 256;

    public SetXattr() {
        super(Kind.SET_XATTR);
    }

    @Override
    Decision<Reply> change(SetXattrRequest request, Context context) throws Refused {
        String name = request.getName();
        XattrName.check(name);
        XattrName.requireVisible(context.asker(), name);
        if (!request.getCreate() && !request.getReplace()) {
            throw new Refused(FsError.INVALID_ARGUMENT, "xattr " + name + " may be neither made nor replaced");
        }
        if (request.getValue().size() > MAX_VALUE_BYTES) {
            throw new Refused(
                    FsError.TOO_LARGE,
                    "xattr " + name + " of " + request.getValue().size() + " bytes, at most " + MAX_VALUE_BYTES);
        }
        PathWalk walk = PathWalk.to(request.getLocation(), context);
        walk.requireFound();
        Node node = walk.node();
        XattrName.requireChange(context.asker(), node, walk.text());

        boolean exists = node.xattrs() > 0
                && Xattrs.find(context.view(), node.handle(), name).isPresent();
        if (exists && !request.getReplace()) {
            throw new Refused(FsError.XATTR_EXISTS, walk.text() + " has xattr " + name);
        }
        if (!exists && !request.getCreate()) {
            throw new Refused(FsError.XATTR_NOT_FOUND, walk.text() + " has no xattr " + name);
        }
        List<LogRecord> records = new ArrayList<>();
        if (!exists) {
            if (node.xattrs() >= MAX_PER_OBJECT) {
                throw new Refused(FsError.TOO_LARGE, walk.text() + " has " + node.xattrs() + " xattrs");
            }
            records.add(node.withXattrs(node.xattrs() + 1));
        }
        records.add(new XattrSet(node.handle(), name, request.getValue()));
        return done(SetXattrReply.getDefaultInstance(), records);
    }
}
