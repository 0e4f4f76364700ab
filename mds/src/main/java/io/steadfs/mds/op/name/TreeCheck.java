package io.steadfs.mds.op.name;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.DirectoryPartitions;
import io.steadfs.mds.op.ground.Facts;
import io.steadfs.mds.op.ground.Gathering;
import io.steadfs.mds.op.ground.Guarded;
import io.steadfs.mds.op.ground.LockedName;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.TreeWalk;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.CheckTreeReply;
import io.steadfs.wire.proto.CheckTreeReply.Elsewhere;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks whether the caller may delete everything below a directory, by the rules of HDFS. The caller needs rwx
 * permission on every directory that has entries. In a sticky directory, the caller must also own the directory or all
 * its entries. For an empty directory, only the permissions of the parent count. Each shard checks its own directories.
 *
 * <p>Memory grows with the depth and with the number of directories on other shards. Memory also grows a little with
 * each entry of a sticky directory whose object is on another shard ({@link RemoteOwners}). Files are looked up only in
 * sticky directories. A question to another shard does not stop the check. The check collects all questions that it
 * can, and begins again when it has the answers.
 */
public final class TreeCheck {
    /** The largest number of directories on other shards that one run of the check may find, so that the answer has only some MiB. */
    static final int MOST_ELSEWHERE = 20_000;

    /** The largest number of rounds of questions about directories on other shards. A query is repeated at most 1,000 times in all. */
    static final int MOST_ROUNDS = 900;

    private static final int ALL = Permissions.READ | Permissions.WRITE | Permissions.EXECUTE;

    private final Context context;
    private final Gathering gathering;
    private final RemoteOwners remoteOwners;
    private final List<Elsewhere> elsewhere = new ArrayList<>();

    private TreeCheck(Context context) {
        this.context = context;
        this.gathering = new Gathering(context);
        this.remoteOwners = new RemoteOwners(context, gathering);
    }

    /**
     * Checks the tree below a directory of this shard.
     *
     * @return the directories below {@code top} that are on other shards, which {@link #elsewhere} must check
     */
    static List<Elsewhere> here(DirectoryNode top, String text, Context context) throws Refused {
        TreeCheck check = new TreeCheck(context);
        check.walk(top, text);
        check.remoteOwners.finish();
        check.gathering.settle();
        return check.elsewhere;
    }

    /** Asks other shards to check directories, with everything below the directories on any shard. */
    static void elsewhere(List<Elsewhere> directories, Context context) throws Refused {
        List<Elsewhere> level = directories;
        int rounds = 0;
        int looked = 0;
        while (!level.isEmpty()) {
            looked += level.size();
            rounds += 1 + level.size() / Gathering.MOST;
            if (rounds > MOST_ROUNDS) {
                throw new Refused(
                        FsError.TOO_LARGE,
                        looked + " directories, up to " + level.get(0).getPath()
                                + ", lie across shards in too many turns for one check: delete it in parts");
            }
            List<Elsewhere> below = new ArrayList<>();
            Gathering gathering = new Gathering(context);
            for (Elsewhere each : level) {
                Optional<Reply> reply = gathering.find(Facts.treePermission(each));
                if (reply.isPresent()) {
                    below.addAll(
                            Refused.unlessOk(reply.get(), CheckTreeReply.class).getElsewhereList());
                }
            }
            gathering.settle();
            level = below;
        }
    }

    public static Elsewhere directory(Handle directory, String path) {
        return Elsewhere.newBuilder()
                .setDirectory(directory.value())
                .setPath(path)
                .build();
    }

    private void walk(DirectoryNode top, String text) throws Refused {
        requireAll(top, text, text);
        try (TreeWalk tree = new TreeWalk(context.view(), top)) {
            while (tree.next()) {
                if (tree.entry().getType() != EntryType.ENTRY_DIRECTORY) {
                    continue;
                }
                NamedObject directory = NamedObject.of(tree.entry(), text + "/" + tree.path());
                if (LockedName.mayBeGone(tree.entry(), directory.text(), gathering)) {
                    continue;
                }
                if (directory.isHere(context)) {
                    DirectoryNode node = directory.directoryNode(context);
                    requireAll(node, directory.text(), text);
                    tree.enter(node);
                } else {
                    addElsewhere(directory(directory.handle(), directory.text()), text);
                }
            }
        }
    }

    private void addElsewhere(Elsewhere directory, String top) throws Refused {
        if (elsewhere.size() == MOST_ELSEWHERE) {
            throw new Refused(
                    FsError.TOO_LARGE,
                    "more than " + MOST_ELSEWHERE + " directories below " + top
                            + " are on other shards: delete it in parts");
        }
        elsewhere.add(directory);
    }

    /** Checks a directory, or one partition of it. The shards of its other partitions check theirs. */
    private void requireAll(DirectoryNode directory, String what, String top) throws Refused {
        requireNames(directory, directory.handle(), what);
        for (Map.Entry<Handle, Long> share :
                DirectoryPartitions.shares(directory, context).entrySet()) {
            if (context.owns(share.getKey())) {
                requireNames(directory, share.getKey(), what);
            } else {
                addElsewhere(
                        directory(share.getKey(), what).toBuilder()
                                .setShare(share.getValue())
                                .build(),
                        top);
            }
        }
    }

    /** @param names the directory or partition that has the names */
    private void requireNames(DirectoryNode directory, Handle names, String what) throws Refused {
        if (DirectoryNode.entries(context.view(), names) == 0) {
            return;
        }
        Permissions.require(context.principal(), directory.row(), ALL, what);
        if (Permissions.stickyMatters(context.principal(), directory.row())) {
            requireEntriesOwned(names, what);
        }
    }

    private void requireEntriesOwned(Handle names, String what) throws Refused {
        try (DirentScan entries = Dirents.scan(context.view(), names)) {
            while (entries.next()) {
                NamedObject entry = NamedObject.of(entries.row(), what + "/" + entries.name());
                if (LockedName.mayBeGone(entries.row(), entry.text(), gathering)) {
                    continue;
                }
                if (entry.isHere(context)) {
                    requireOwner(entry.guard(context), entry.text());
                } else {
                    remoteOwners.require(entry.handle(), entry.text(), what);
                }
            }
        }
    }

    private void requireOwner(Guarded entry, String what) throws Refused {
        if (!context.principal().user().equals(entry.owner())) {
            throw Permissions.stickyDenied(context.principal(), what);
        }
    }
}
