package io.steadfs.mds.op.attribute;

import io.steadfs.error.FsError;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Node;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.XattrName;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.xattr.XattrGone;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RemoveXattrReply;
import io.steadfs.wire.proto.RemoveXattrRequest;
import java.util.List;

/** Removes an extended attribute. */
public final class RemoveXattr extends NamespaceOperation<RemoveXattrRequest> {
    public RemoveXattr() {
        super(Kind.REMOVE_XATTR);
    }

    @Override
    public Decision<Reply> change(RemoveXattrRequest request, Context context) throws Refused {
        String name = request.getName();
        XattrName.check(name);
        XattrName.requireVisible(context.principal(), name);
        PathWalk walk = PathWalk.to(request.getLocation(), context);
        walk.requireFound();
        Node node = walk.node();
        XattrName.requireChange(context.principal(), node, walk.text());
        if (node.xattrs() == 0
                || Xattrs.find(context.view(), node.handle(), name).isEmpty()) {
            throw new Refused(FsError.XATTR_NOT_FOUND, walk.text() + " has no xattr " + name);
        }
        return done(
                RemoveXattrReply.getDefaultInstance(),
                List.of(new XattrGone(node.handle(), name), node.withXattrs(node.xattrs() - 1)));
    }
}
