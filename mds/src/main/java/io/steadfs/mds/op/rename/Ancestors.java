package io.steadfs.mds.op.rename;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AncestorsReply;
import io.steadfs.wire.proto.AncestorsRequest;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The way up from a directory of this shard, as far as this shard knows it. */
public final class Ancestors extends NamespaceQuery<AncestorsRequest> {
    public Ancestors() {
        super(Kind.ANCESTORS);
    }

    @Override
    public MessageLite look(AncestorsRequest request, Context context) throws Refused {
        Handle asked = new Handle(request.getDirectory());
        if (!context.owns(asked)) {
            throw new Refused(FsError.NOT_OWNER, "shard " + context.inputs().shard() + " does not own " + asked);
        }
        return from(asked, context);
    }

    /** The way up from a directory. It ends at the root, or at the first directory that is on another shard, and includes that one. */
    static AncestorsReply from(Handle directory, Context context) {
        AncestorsReply.Builder reply = AncestorsReply.newBuilder();
        Set<Handle> met = new HashSet<>();
        Handle above = directory;
        while (met.add(above)) {
            reply.addDirectories(above.value());
            if (above.equals(Handle.ROOT) || !context.owns(above)) {
                return reply.build();
            }
            Optional<DirectoryRow> row = Directories.find(context.view(), above);
            if (row.isEmpty() || DeletionQueue.hasTree(context.view(), above)) {
                return reply.setCutOff(true).build();
            }
            above = new Handle(row.get().getParent());
        }
        throw new IllegalStateException("directory " + above + " is above itself");
    }
}
