package io.steadfs.mds.op;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.pipeline.Asker;
import io.steadfs.mds.pipeline.Checked;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Precheck;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DeleteRequest;

/**
 * Whether the asker may delete everything below a directory, as HDFS asks it: rwx on every directory that has entries,
 * and in a sticky one, ownership of it or of each of its entries. Empty directories are their parents' matter. What
 * {@link DeletePath} itself refuses is left to it, and so is any tree but the one looked at here. Memory grows with the
 * depth only; files are looked up in sticky directories only.
 */
public final class TreePermission implements Precheck<DeleteRequest> {
    private static final int ALL = Permissions.READ | Permissions.WRITE | Permissions.EXECUTE;

    @Override
    public boolean isNeeded(DeleteRequest request, Asker asker) {
        return request.getRecursive() && !asker.superuser();
    }

    @Override
    public Checked<DeleteRequest> check(DeleteRequest request, Asker asker, ReadView view, Inputs inputs) {
        try {
            return Checked.allowed(new DeletePath(checkedTree(request, new Context(asker, view, inputs))));
        } catch (Refused refused) {
            return Checked.refused(refused.reply(Kind.DELETE));
        }
    }

    /** The directory whose tree may be deleted; none if the path does not lead to one. */
    private static Handle checkedTree(DeleteRequest request, Context context) throws Refused {
        PathWalk walk;
        try {
            walk = PathWalk.to(request.getLocation(), context);
        } catch (Refused leftToTheDecision) {
            return Handle.NONE;
        }
        if (walk.isStart() || !walk.isFound() || !walk.isDirectory()) {
            return Handle.NONE;
        }
        DirectoryNode top = walk.directoryNode();
        checkDirectory(top, walk.text(), context);
        try (TreeWalk tree = new TreeWalk(context.view(), top.handle())) {
            while (tree.next()) {
                if (tree.entry().getType() != EntryType.ENTRY_DIRECTORY) {
                    continue;
                }
                Node node = ListDirectory.node(tree.entry(), tree.entryName(), tree.directory(), context);
                if (node instanceof DirectoryNode directory) {
                    checkDirectory(directory, walk.text() + "/.../" + tree.entryName(), context);
                    tree.enter(directory.handle());
                }
            }
        }
        return top.handle();
    }

    private static void checkDirectory(DirectoryNode directory, String what, Context context) throws Refused {
        if (DirectoryNode.entries(context.view(), directory.handle(), directory.row()) == 0) {
            return;
        }
        Permissions.require(context.asker(), directory.row(), ALL, what);
        if (!Permissions.stickyMatters(context.asker(), directory.row())) {
            return;
        }
        try (DirentScan entries = Dirents.scan(context.view(), directory.handle())) {
            while (entries.next()) {
                Node entry = ListDirectory.node(entries.row(), entries.name(), directory.handle(), context);
                if (!context.asker().user().equals(entry.owner())) {
                    throw Permissions.stickyDenied(context.asker(), what + "/" + entries.name());
                }
            }
        }
    }
}
