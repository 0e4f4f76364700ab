package io.steadfs.mds.op.name;

import io.steadfs.error.FsException;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.proto.SymlinkRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Placement;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.SymlinkNode;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.path.LinkTarget;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateSymlinkReply;
import io.steadfs.wire.proto.CreateSymlinkRequest;
import java.util.List;
import java.util.Optional;

/**
 * Makes a symbolic link. The link is its dirent, and has no other row. The shard of the link's directory makes it, and
 * does not look at the target. Missing parents are made, if the request asks for them, as in {@link CreateFile}.
 */
public final class CreateSymlink extends NamespaceOperation<CreateSymlinkRequest> {
    private final Placement placement;

    /** @param spreadDepth greatest depth of new parents that are distributed over the shards */
    public CreateSymlink(int spreadDepth) {
        super(Kind.CREATE_SYMLINK);
        this.placement = new Placement(spreadDepth);
    }

    @Override
    public Decision<Reply> change(CreateSymlinkRequest request, Context context) throws Refused {
        String target = checked(request.getTarget());
        NewName name = NewName.atItself(
                new NewName.NameSpec(
                        request.getLocation(), false, request.getCreateParents(), request.getParentMode(), false),
                context);
        Optional<DirentKey> key = name.take(placement);
        if (key.isEmpty()) {
            return name.goOn(Kind.CREATE_SYMLINK);
        }
        SymlinkNode link = new SymlinkNode(
                name.handles().take(),
                SymlinkRow.newBuilder()
                        .setTarget(target)
                        .setOwner(context.principal().user())
                        .setGroup(name.group())
                        .setMadeMillis(context.now())
                        .build());
        List<LogRecord> records = name.records();
        records.add(DirentSet.symlink(key.get(), link.handle(), link.row()));
        return done(
                CreateSymlinkReply.newBuilder().setAttributes(link.attributes()).build(), records);
    }

    private static String checked(String target) throws Refused {
        try {
            return LinkTarget.checked(target);
        } catch (FsException e) {
            throw new Refused(e.error(), e.words());
        }
    }
}
