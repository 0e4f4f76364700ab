package io.steadfs.mds.op.attribute;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceLimits;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Node;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.XattrName;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.GetXattrsReply;
import io.steadfs.wire.proto.GetXattrsRequest;

/**
 * Reads extended attributes of a file or directory. If the request has names, every named attribute must exist. If the
 * request has no names, the reply has all attributes that the caller may see.
 */
public final class GetXattrs extends NamespaceQuery<GetXattrsRequest> {
    /** The largest number of bytes of names and values in one reply; less than the limit of a message body. */
    static final long MAX_REPLY_BYTES = 7L << 20;

    public GetXattrs() {
        super(Kind.GET_XATTRS);
    }

    @Override
    public MessageLite look(GetXattrsRequest request, Context context) throws Refused {
        if (request.getNamesCount() > NamespaceLimits.MOST_XATTRS) {
            throw new Refused(
                    FsError.TOO_LARGE,
                    request.getNamesCount() + " xattr names, at most " + NamespaceLimits.MOST_XATTRS);
        }
        for (String name : request.getNamesList()) {
            XattrName.check(name);
            XattrName.requireVisible(context.principal(), name);
        }
        PathWalk walk = PathWalk.to(request.getLocation(), context);
        walk.requireFound();
        Node node = walk.node();
        Permissions.require(context.principal(), node, Permissions.READ, walk.text());
        Gathered gathered = new Gathered();
        if (request.getNamesCount() == 0) {
            if (node.xattrs() > 0) {
                Xattrs.forEach(context.view(), node.handle(), (name, value) -> {
                    if (XattrName.isVisible(context.principal(), name)) {
                        gathered.add(name, value);
                    }
                });
            }
        } else {
            for (String name : request.getNamesList()) {
                gathered.add(
                        name,
                        Xattrs.find(context.view(), node.handle(), name)
                                .orElseThrow(() ->
                                        new Refused(FsError.XATTR_NOT_FOUND, walk.text() + " has no xattr " + name)));
            }
        }
        if (gathered.bytes > MAX_REPLY_BYTES) {
            throw new Refused(
                    FsError.TOO_LARGE,
                    "xattrs of " + walk.text() + " have " + gathered.bytes + " bytes, at most " + MAX_REPLY_BYTES
                            + " in one answer: ask for some by name");
        }
        return gathered.reply.build();
    }

    /** The reply so far. An attribute that would exceed {@link #MAX_REPLY_BYTES} is counted but not added. */
    private static final class Gathered {
        private final GetXattrsReply.Builder reply = GetXattrsReply.newBuilder();
        private long bytes;

        private void add(String name, byte[] value) {
            bytes += name.length() + value.length;
            if (bytes <= MAX_REPLY_BYTES) {
                reply.putXattrs(name, ByteString.copyFrom(value));
            }
        }
    }
}
