package io.steadfs.mds.op.name;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.KnownShards;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Placement;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.NoticeQueued;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.LinkReply;
import io.steadfs.wire.proto.LinkRequest;
import java.util.List;
import java.util.Optional;

/**
 * Gives a name to a file that was made without a name, by the rules of {@link CreateFile}. This request is step 4 of
 * the basecase create. The file may be on any shard. If another shard has the file, that shard must confirm two things:
 * the file belongs to this session, and the file has no name. The batch that makes the name also adds a notice for the
 * file's shard to the outbox.
 *
 * <p>The file's shard holds nothing between its answer and the notice. Linking without a hold is safe for three
 * reasons:
 *
 * <ul>
 *   <li>Only the session that made a file links the file.
 *   <li>Before a file without a name is removed, all shards know that its session has ended.
 *   <li>An ended session links nothing.
 * </ul>
 */
public final class LinkFile extends NamespaceOperation<LinkRequest> {
    private final Placement placement;

    /** @param spreadDepth greatest depth of new parents that are distributed over the shards */
    public LinkFile(int spreadDepth) {
        super(Kind.LINK);
        this.placement = new Placement(spreadDepth);
    }

    @Override
    public Decision<Reply> change(LinkRequest request, Context context) throws Refused {
        Handle file = new Handle(request.getMetafile());
        checkOwner(file, context);
        NewName name = NewName.at(
                new NewName.NameSpec(
                        request.getLocation(),
                        request.getOverwrite(),
                        request.getCreateParents(),
                        request.getParentMode(),
                        request.getParentsAsAbove()),
                context);
        if (name.leadsTo(file)) {
            return done(reply(name), List.of());
        }
        Optional<MetafileRow> row = Optional.empty();
        if (context.owns(file)) {
            row = Optional.of(LinkedFile.here(file, context));
        } else {
            LinkedFile.requireUnlinkedElsewhere(file, context);
        }
        Optional<DirentKey> key = name.take(placement);
        if (key.isEmpty()) {
            return name.goOn(Kind.LINK);
        }
        List<LogRecord> records = name.records();
        records.add(DirentSet.file(key.get(), file));
        if (row.isPresent()) {
            records.addAll(LinkedFile.records(file, row.get(), name.group()));
        } else {
            records.add(new NoticeQueued(Notice.linked(file, name.group())));
        }
        return done(reply(name), records);
    }

    private static LinkReply reply(NewName name) {
        return LinkReply.newBuilder()
                .setGroup(name.group())
                .setProtocolHint(name.protocolHint())
                .build();
    }

    private static void checkOwner(Handle file, Context context) throws Refused {
        if (!file.isOwnedByShard() || file.equals(Handle.ROOT)) {
            throw new Refused(FsError.INVALID_ARGUMENT, "handle " + file + " names no metafile");
        }
        KnownShards.require(file, context);
    }
}
