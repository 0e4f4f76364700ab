package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.pipeline.AncestorCopies;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.GiveCopiesReply;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the directory that users see, where names are in a partition of it. */
public final class WholeDirectory {
    private WholeDirectory() {}

    /** The directory that users see: the one with this row, or the one of which it is a partition. */
    public static Handle of(Handle directory, DirectoryRow row) {
        return row.hasPartOf() ? new Handle(row.getPartOf().getDirectory()) : directory;
    }

    /**
     * Whether a directory has names with the hash of the key, or is a partition that has them.
     *
     * @param row row of the key's directory
     */
    public static boolean has(DirentKey key, DirectoryRow row, ReadView view) {
        if (!row.hasPartOf() && DirectoryNode.hasOnePartition(row)) {
            return true;
        }
        return Maps.find(view, of(key.directory(), row), key.hash())
                .filter(each -> each.handle().equals(key.directory()) && !each.isStaged())
                .isPresent();
    }

    /** The refusal of a request that must not change a directory while it gives names. */
    public static Refused isGiving(Handle directory) {
        return new Refused(FsError.BUSY, "directory " + directory + " gives names to another shard; try again");
    }

    /** Refuses with BUSY if the name is being given to another shard. */
    public static void requireNotGiven(DirentKey key, DirectoryRow row) throws Refused {
        if (row.hasGiving() && EntryCount.isGiven(row.getGiving(), key)) {
            throw new Refused(FsError.BUSY, key + " is being given to another shard; try again");
        }
    }

    /** The row. If it is of a partition, it gets the permissions of the directory. */
    public static DirectoryRow withPermissions(DirectoryRow row, Context context) throws Refused {
        if (!row.hasPartOf()) {
            return row;
        }
        DirectoryRow whole = permissions(of(Handle.NONE, row), context);
        return row.toBuilder()
                .setMode(whole.getMode())
                .setOwner(whole.getOwner())
                .setGroup(whole.getGroup())
                .build();
    }

    /** The refusal of a request that began at a partition of a directory that is gone. */
    static Refused gone(Handle directory) {
        return new Refused(
                FsError.STALE_START, "directory " + directory + " does not exist any more: begin at the root again");
    }

    /**
     * A row with the permissions of a directory, which may be on another shard. Other shards are asked for a copy.
     *
     * @return with {@code split} if it has several partitions
     * @throws Refused STALE_START if the directory does not exist any more
     */
    public static DirectoryRow permissions(Handle directory, Context context) throws Refused {
        if (context.owns(directory)) {
            return Directories.find(context.view(), directory).orElseThrow(() -> gone(directory));
        }
        Optional<AncestorCopies.Directory> copy = context.inputs().copies().directory(directory);
        if (copy.isEmpty()) {
            throw unknown(directory, context);
        }
        return DirectoryRow.newBuilder()
                .setMode(copy.get().mode())
                .setOwner(copy.get().owner())
                .setGroup(copy.get().group())
                .setSplit(copy.get().partitions().isPresent())
                .build();
    }

    /** @throws Missing if the owner must be asked */
    private static Refused unknown(Handle directory, Context context) throws Refused {
        Need.Ask need = Facts.copies(context.inputs().shard(), directory, List.of());
        Optional<Reply> reply = context.inputs().peerAnswers().find(need);
        if (reply.isPresent()
                && Refused.unlessOk(reply.get(), GiveCopiesReply.class).getDirectoriesCount() == 0) {
            return gone(directory);
        }
        throw new Missing(Set.of(need));
    }
}
