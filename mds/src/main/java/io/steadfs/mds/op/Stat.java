package io.steadfs.mds.op;

import com.google.protobuf.MessageLite;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;

/** Attributes of a path. Needs no permission beyond the walk's, but for who says that it will read the file. */
public final class Stat extends NamespaceQuery<StatRequest> {
    public Stat() {
        super(Kind.STAT);
    }

    @Override
    MessageLite look(StatRequest request, Context context) throws Refused {
        PathWalk walk = PathWalk.to(request.getLocation(), context);
        walk.requireFound();
        Node node = walk.node();
        // Who opens a directory is told that it is one, whatever its mode.
        if (request.getToRead() && node instanceof FileNode) {
            Permissions.require(context.asker(), node, Permissions.READ, walk.text());
        }
        return StatReply.newBuilder()
                .setAttributes(node.attributes(context.view(), request.getWantLayout()))
                .build();
    }
}
