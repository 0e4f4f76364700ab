package io.steadfs.mds.op.name;

import io.steadfs.error.FsError;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.EntryCount;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.op.ground.PartitionCounts;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Placement;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.MkdirsReply;
import io.steadfs.wire.proto.MkdirsRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes a directory. Missing parents are made, too, if the request asks for them. An existing directory is accepted
 * unless the request is exclusive. If a directory belongs on another shard, that shard prepares the directory:
 * {@link NewDirectories}.
 */
public final class Mkdirs extends NamespaceOperation<MkdirsRequest> {
    private final Placement placement;

    /** @param spreadDepth greatest depth of new directories that are distributed over the shards */
    public Mkdirs(int spreadDepth) {
        super(Kind.MKDIRS);
        this.placement = new Placement(spreadDepth);
    }

    @Override
    public Decision<Reply> change(MkdirsRequest request, Context context) throws Refused {
        int mode = Permissions.checkMode(request.getMode());
        int parentMode = Permissions.checkMode(request.getParentMode());
        PathWalk walk = PathWalk.toMakeOrEnter(request.getLocation(), context);
        if (walk.isFound()) {
            if (!walk.isDirectory() || request.getExclusive()) {
                throw new Refused(FsError.ALREADY_EXISTS, walk.text() + " exists");
            }
            return done(reply(walk.directoryNode(), context), List.of());
        }
        if (!walk.isParentFound() && !request.getCreateParents()) {
            throw walk.notFound();
        }
        Permissions.require(context.principal(), walk.parentRow(), Permissions.WRITE, walk.textTo(walk.reached()));

        List<LogRecord> records = new ArrayList<>();
        NewHandles handles = new NewHandles(context);
        records.add(EntryCount.changed(context, walk.key(), walk.parentRow(), 1));
        NewDirectories directories = new NewDirectories(context, placement, walk, true, handles, records);
        Optional<Attributes> made = directories.makeParents(parentMode) ? directories.makeLast(mode) : Optional.empty();
        records.add(handles.raised());
        return made.isPresent()
                ? done(MkdirsReply.newBuilder().setAttributes(made.get()).build(), records)
                : directories.goOn(Kind.MKDIRS);
    }

    private static MkdirsReply reply(DirectoryNode directory, Context context) throws Refused {
        return MkdirsReply.newBuilder()
                .setAttributes(PartitionCounts.now(directory, context).attributes(directory))
                .build();
    }
}
