package io.steadfs.mds.op.copy;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.copy.GivenCopies;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.KnownShards;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.ProtocolHint;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.SpreadShards;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.partition.Maps;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.GiveCopiesReply;
import io.steadfs.wire.proto.GiveCopiesRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Gives another shard copies of the rows of a path, as far as this shard owns them. Each row is read after the holder was
 * noted, from the newest durable state. What one answer says of one directory, or of one name, is of one state.
 */
public final class GiveCopies extends NamespaceQuery<GiveCopiesRequest> {
    private final GivenCopies given;
    private final Supplier<Store.Snapshot> newest;

    /** @param newest a snapshot of the newest durable state */
    public GiveCopies(GivenCopies given, Supplier<Store.Snapshot> newest) {
        super(Kind.GIVE_COPIES);
        this.given = given;
        this.newest = newest;
    }

    @Override
    public MessageLite look(GiveCopiesRequest request, Context context) throws Refused {
        int holder = request.getHolder();
        KnownShards.require(holder, "the holder of copies", context);
        if (holder == context.inputs().shard()) {
            throw new Refused(FsError.INVALID_ARGUMENT, "shard " + holder + " asks itself for copies");
        }
        if (!given.mayHold(holder)) {
            throw new Refused(FsError.BUSY, "batches that do not count shard " + holder + " are not durable yet");
        }
        Handle directory = new Handle(request.getDirectory());
        if (!context.owns(directory)) {
            throw new Refused(FsError.NOT_OWNER, "shard " + context.inputs().shard() + " does not own " + directory);
        }
        return new Giving(holder).give(directory, request.getNamesList(), context);
    }

    /** One answer, as far as it got. */
    private final class Giving {
        private final int holder;
        private final long goodMillis;
        private final GiveCopiesReply.Builder reply;
        /** What is about to change; empty = nothing was met. */
        private String changing = "";
        /** The next name is in another partition than that which was asked. */
        private boolean isElsewhere;

        Giving(int holder) {
            this.holder = holder;
            this.goodMillis = given.termMillis(holder);
            this.reply = GiveCopiesReply.newBuilder().setTermMillis(goodMillis);
        }

        /** @throws Refused BUSY if the first row that the holder lacks is about to change */
        GiveCopiesReply give(Handle first, List<String> names, Context context) throws Refused {
            Handle directory = first;
            boolean goesOn = isPartition(first, context) || row(directory);
            for (int i = 0; goesOn && i < names.size(); i++) {
                Optional<Handle> child = child(directory, names.get(i));
                goesOn = child.isPresent() && context.owns(child.get()) && row(child.get());
                directory = child.orElse(directory);
            }
            if (!changing.isEmpty() && reply.getChildrenCount() == 0) {
                throw new Refused(FsError.BUSY, changing + " is about to change; try again");
            }
            if (isElsewhere && reply.getChildrenCount() == 0) {
                reply.setElsewhere(true).setNoDirectory(reply.getDirectoriesCount() == 0);
            }
            return reply.build();
        }

        /**
         * Adds a copy of the directory's row. Returns whether it was added. One that is being cleared is not there any more:
         * nobody gets to it by a path, and its map goes partition by partition.
         */
        private boolean row(Handle directory) {
            if (!given.noteRow(directory, holder, goodMillis)) {
                changing = "directory " + directory;
                return false;
            }
            try (Store.Snapshot state = newest.get()) {
                Optional<DirectoryRow> row =
                        Directories.find(state, directory).filter(each -> !DeletionQueue.isCutOff(state, directory));
                row.ifPresent(each -> reply.addDirectories(copy(directory, each, state)));
                return row.isPresent();
            }
        }

        private static GiveCopiesReply.Directory copy(Handle directory, DirectoryRow row, ReadView view) {
            GiveCopiesReply.Directory.Builder copy = GiveCopiesReply.Directory.newBuilder()
                    .setHandle(directory.value())
                    .setMode(row.getMode())
                    .setOwner(row.getOwner())
                    .setGroup(row.getGroup());
            if (!DirectoryNode.hasOnePartition(row)) {
                copy.setPartitions(Maps.whole(view, directory).toProto())
                        .setProtocol(ProtocolHint.of(directory, view))
                        .setMaxShards(SpreadShards.hint(directory, view));
            }
            return copy.build();
        }

        /** Whether the directory is a partition, of which nobody needs the row. */
        private static boolean isPartition(Handle directory, Context context) {
            return Directories.find(context.view(), directory)
                    .filter(DirectoryRow::hasPartOf)
                    .isPresent();
        }

        /** Whether the name is in another partition, so that nothing can be said of it here. */
        private static boolean isInAnotherPartition(DirentKey key, ReadView view) {
            return Directories.find(view, key.directory())
                    .filter(row -> !WholeDirectory.has(key, row, view))
                    .isPresent();
        }

        /** Adds a copy of the name, and returns the directory to which it leads. */
        private Optional<Handle> child(Handle directory, String name) {
            DirentKey key = DirentKey.of(directory, name);
            Optional<DirentRow> met;
            try (Store.Snapshot state = newest.get()) {
                if (isInAnotherPartition(key, state)) {
                    isElsewhere = true;
                    return Optional.empty();
                }
                met = find(key, state);
            }
            if (met.isEmpty()) {
                reply.setNoDirectory(true);
                return Optional.empty();
            }
            boolean isFree = !met.get().hasLock() && given.noteName(directory, name, holder, goodMillis);
            Optional<DirentRow> noted = isFree ? noted(key) : Optional.empty();
            if (noted.isEmpty() || noted.get().hasLock()) {
                changing = key.toString();
                return Optional.empty();
            }
            reply.addChildren(noted.get().getHandle());
            return Optional.of(new Handle(noted.get().getHandle()));
        }

        /** The dirent as it is after the holder was noted. */
        private Optional<DirentRow> noted(DirentKey key) {
            try (Store.Snapshot state = newest.get()) {
                return find(key, state);
            }
        }

        /** The dirent, if it leads to a directory. */
        private static Optional<DirentRow> find(DirentKey key, ReadView view) {
            return Dirents.find(view, key).filter(row -> row.getType() == EntryType.ENTRY_DIRECTORY);
        }
    }
}
