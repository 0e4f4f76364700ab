package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.DirectoryPartitions;
import io.steadfs.mds.op.ground.Emptiness;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.FreezeDirectory;
import io.steadfs.wire.proto.PrepareReply;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds a directory empty while the coordinator removes the directory's name. With it, it holds the directory's other
 * partitions on this shard. The commit removes all of them. The coordinator asks for partitions on other shards in the
 * same way.
 */
record FreezeDirectoryPart(FreezeDirectory request) implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        PrepareReply.Builder reply = PrepareReply.newBuilder();
        List<LogRecord> locks = new ArrayList<>();
        for (Handle directory : asked()) {
            DirectoryNode node = new DirectoryNode(directory, ParticipantRows.directory(directory, context));
            if (directory.equals(Handle.ROOT)) {
                throw new Refused(FsError.INVALID_ARGUMENT, "the root directory cannot be removed");
            }
            Emptiness.require(
                    node,
                    "directory " + directory,
                    context,
                    lock -> lock.getCoordinator() == id.coordinator() && lock.getIntent() == id.intent());
            withPartitions(node, context)
                    .forEach(each -> locks.add(new DirectorySet(
                            each.handle(),
                            each.row().toBuilder().setLock(id.lock()).build())));
            DirectoryPartitions.of(node, context).stream()
                    .filter(each -> !context.owns(each))
                    .forEach(each -> reply.addPartitions(each.value()));
        }
        return new Held(locks, reply.build());
    }

    @Override
    public List<LogRecord> commit(SlotId id, PrepareReply held, Context context) {
        List<LogRecord> records = new ArrayList<>();
        locked(id, context).forEach(each -> Removal.emptyDirectory(each, context, records));
        return records;
    }

    @Override
    public List<LogRecord> undo(SlotId id, PrepareReply held, Context context) {
        return locked(id, context).stream()
                .flatMap(each -> withPartitions(each, context).stream())
                .<LogRecord>map(each -> new DirectorySet(
                        each.handle(), each.row().toBuilder().clearLock().build()))
                .toList();
    }

    private static List<DirectoryNode> withPartitions(DirectoryNode directory, Context context) {
        List<DirectoryNode> all = new ArrayList<>(DirectoryPartitions.here(directory, context));
        all.add(directory);
        return all;
    }

    private List<Handle> asked() {
        List<Handle> asked = new ArrayList<>(List.of(new Handle(request.getDirectory())));
        request.getPartitionsList().forEach(each -> asked.add(new Handle(each)));
        return asked;
    }

    private List<DirectoryNode> locked(SlotId id, Context context) {
        List<DirectoryNode> locked = new ArrayList<>();
        for (Handle each : asked()) {
            Directories.find(context.view(), each)
                    .filter(row -> row.hasLock() && SlotId.of(row.getLock()).equals(id))
                    .ifPresent(row -> locked.add(new DirectoryNode(each, row)));
        }
        return locked;
    }
}
