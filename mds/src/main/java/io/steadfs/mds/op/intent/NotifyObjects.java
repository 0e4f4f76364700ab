package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.op.name.LinkedFile;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.NotifyReply;
import io.steadfs.wire.proto.NotifyRequest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies notices of another shard to objects of this shard. Each notice says what happened to the name of one object.
 * A metafile that lost its name is removed. A directory that was cut off is queued to be cleared. A metafile that got
 * its first name no longer counts as unlinked.
 *
 * <p>A notice about an object that no longer exists changes nothing. So a notice may arrive again, late, and in any
 * order. A handle that can never belong to an object of this shard is logged and skipped. If this shard refused a
 * message because of one handle, the sender would repeat the whole message forever.
 */
public final class NotifyObjects extends NamespaceOperation<NotifyRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(NotifyObjects.class);

    /** The largest number of objects in one request. */
    public static final int MOST = 1000;

    public NotifyObjects() {
        super(Kind.NOTIFY);
    }

    @Override
    public Decision<Reply> change(NotifyRequest request, Context context) throws Refused {
        int linked = request.getLinkedFilesCount();
        if (linked != request.getLinkedGroupsCount()) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    linked + " files got a name, of " + request.getLinkedGroupsCount() + " groups");
        }
        int count = request.getUnlinkedFilesCount() + request.getCutTreesCount() + linked;
        if (count > MOST) {
            throw new Refused(FsError.TOO_LARGE, count + " objects in one notice, at most " + MOST);
        }
        List<LogRecord> records = new ArrayList<>();
        Set<Handle> unlinked = owned(request.getUnlinkedFilesList(), context);
        for (Handle file : unlinked) {
            Optional<MetafileRow> row = Metafiles.find(context.view(), file);
            if (row.isPresent()) {
                Removal.file(new FileNode(file, row.get()), context.view(), records);
            }
        }
        for (Handle directory : owned(request.getCutTreesList(), context)) {
            if (Directories.find(context.view(), directory).isPresent()
                    && !DeletionQueue.hasTree(context.view(), directory)) {
                Removal.cutOff(directory, context, records);
            }
        }
        Set<Handle> named = owned(request.getLinkedFilesList(), context);
        for (int i = 0; i < linked; i++) {
            Handle file = new Handle(request.getLinkedFiles(i));
            Optional<MetafileRow> row = Metafiles.find(context.view(), file);
            if (row.isPresent() && named.remove(file) && !unlinked.contains(file)) {
                records.addAll(LinkedFile.records(file, row.get(), request.getLinkedGroups(i)));
            }
        }
        return done(NotifyReply.getDefaultInstance(), records);
    }

    private static Set<Handle> owned(List<Long> values, Context context) {
        Set<Handle> handles = new LinkedHashSet<>();
        for (long value : values) {
            Handle handle = new Handle(value);
            if (context.owns(handle) && !handle.equals(Handle.ROOT)) {
                handles.add(handle);
            } else {
                LOG.warn(
                        "shard {} was told of {}, which {}; passed over",
                        context.inputs().shard(),
                        handle,
                        context.owns(handle) ? "is the root directory" : "it does not own");
            }
        }
        return handles;
    }
}
