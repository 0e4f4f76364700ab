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

/** Answers the directories above a directory of this shard, as far as this shard knows them. */
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

    /**
     * The given directory and the directories above it, from the bottom to the top. The list ends with the root or with
     * the first directory that is on another shard.
     */
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
