package io.steadfs.mds.op.attribute;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.layout.ProtocolName;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.NamespaceLimits;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Node;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.XattrName;
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

/** Makes or replaces an extended attribute. The request says whether making, replacing or both are allowed. */
public final class SetXattr extends NamespaceOperation<SetXattrRequest> {
    private final NamespaceLimits most;
    private final PartitionLimits partitions;

    public SetXattr(NamespaceLimits most, PartitionLimits partitions) {
        super(Kind.SET_XATTR);
        this.most = most;
        this.partitions = partitions;
    }

    @Override
    public Decision<Reply> change(SetXattrRequest request, Context context) throws Refused {
        String name = request.getName();
        XattrName.check(name, most.xattrNameBytes());
        XattrName.requireVisible(context.principal(), name);
        if (!request.getCreate() && !request.getReplace()) {
            throw new Refused(FsError.INVALID_ARGUMENT, "xattr " + name + " may be neither made nor replaced");
        }
        if (request.getValue().size() > most.xattrValueBytes()) {
            throw new Refused(
                    FsError.TOO_LARGE,
                    "xattr " + name + " of " + request.getValue().size() + " bytes, at most " + most.xattrValueBytes());
        }
        checkHint(name, request.getValue());
        PathWalk walk = PathWalk.to(request.getLocation(), context);
        walk.requireFound();
        Node node = walk.node();
        XattrName.requireChange(context.principal(), node, walk.text());

        boolean exists = node.xattrs() > 0
                && Xattrs.find(context.view(), node.handle(), name).isPresent();
        if (exists && !request.getReplace()) {
            throw new Refused(FsError.XATTR_EXISTS, walk.text() + " has xattr " + name);
        }
        if (!exists && !request.getCreate()) {
            throw new Refused(FsError.XATTR_NOT_FOUND, walk.text() + " has no xattr " + name);
        }
        if (!exists) {
            if (node.xattrs() >= most.xattrs()) {
                throw new Refused(
                        FsError.TOO_LARGE,
                        walk.text() + " has " + node.xattrs() + " xattrs, at most " + most.xattrs() + " are allowed");
            }
        }
        int count = node.xattrs() + (exists ? 0 : 1);
        List<LogRecord> records = new ArrayList<>();
        if (name.equals(DirectoryHints.EXPECTED_FILES) && node instanceof DirectoryNode directory) {
            long files = DirectoryHints.parse(request.getValue().toStringUtf8());
            records.addAll(new Presplit(directory, context).records(files, count, partitions));
        }
        if (!exists && records.isEmpty()) {
            records.add(node.withXattrs(count));
        }
        records.add(new XattrSet(node.handle(), name, request.getValue()));
        return done(SetXattrReply.getDefaultInstance(), records);
    }

    /**
     * Refuses a hint that names no valid create protocol, or that is no number where it must be one. A wrong hint is
     * refused at once, so that the user who sets the hint gets the error.
     */
    private static void checkHint(String name, ByteString value) throws Refused {
        if (name.equals(ProtocolName.HINT) || DirectoryHints.isNumber(name)) {
            try {
                if (DirectoryHints.isNumber(name)) {
                    DirectoryHints.parse(value.toStringUtf8());
                } else {
                    ProtocolName.parse(value.toStringUtf8());
                }
            } catch (IllegalArgumentException e) {
                String text = value.size() > 100 ? value.size() + " bytes" : "'" + value.toStringUtf8() + "'";
                throw new Refused(FsError.INVALID_ARGUMENT, "xattr " + name + ": " + text + " " + e.getMessage());
            }
        }
    }
}
