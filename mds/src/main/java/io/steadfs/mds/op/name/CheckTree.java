package io.steadfs.mds.op.name;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.DirectoryPartitions;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckTreeReply;
import io.steadfs.wire.proto.CheckTreeRequest;
import java.util.Optional;

/**
 * Answers whether a caller may delete everything below a directory or partition of this shard. The shard where a recursive delete
 * begins sends this request. If the directory no longer exists, the request is not refused.
 */
public final class CheckTree extends NamespaceQuery<CheckTreeRequest> {
    public CheckTree() {
        super(Kind.CHECK_TREE);
    }

    @Override
    public MessageLite look(CheckTreeRequest request, Context context) throws Refused {
        Handle directory = new Handle(request.getDirectory());
        if (!context.owns(directory)) {
            throw new Refused(FsError.NOT_OWNER, "shard " + context.inputs().shard() + " does not own " + directory);
        }
        Optional<DirectoryRow> row = Directories.find(context.view(), directory);
        if (request.hasShare() && !isAsMapped(row, request, context)) {
            throw WholeDirectory.isGiving(directory);
        }
        if (row.isEmpty() || context.principal().superuser()) {
            return CheckTreeReply.getDefaultInstance();
        }
        DirectoryNode top = new DirectoryNode(directory, WholeDirectory.withPermissions(row.get(), context));
        return CheckTreeReply.newBuilder()
                .addAllElsewhere(TreeCheck.here(top, request.getPath(), context))
                .build();
    }

    /** Whether the partition has the names that the asking shard thinks it has. */
    private static boolean isAsMapped(Optional<DirectoryRow> row, CheckTreeRequest request, Context context) {
        return row.map(found -> DirectoryPartitions.share(context.view(), new Handle(request.getDirectory()), found))
                .filter(share -> share == request.getShare())
                .isPresent();
    }
}
