package io.steadfs.client.reference;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/** What all callers share. Every method is called under its lock. */
final class Tree {
    static final int READ = 4;
    static final int WRITE = 2;
    static final int EXECUTE = 1;
    static final int STICKY = 01000;

    final LongSupplier clock;
    final String superuser;
    final String supergroup;
    final Node root;
    private long lastSequence = Handle.ROOT.sequence();

    /** Who asks. */
    record Asker(String user, Set<String> groups, boolean superuser) {}

    /** The way down a path as far as it exists: the last directory reached, and the names that are missing. */
    record Walk(FsPath path, Node parent, int reached, Node found, boolean isFound) {
        boolean isParentFound() {
            return isFound || reached == path.depth() - 1;
        }

        FsException notFound() {
            return new FsException(FsError.NOT_FOUND, textTo(reached + 1) + " does not exist");
        }

        String textTo(int count) {
            return "/" + String.join("/", path.components().subList(0, count));
        }

        String parentText() {
            return textTo(reached);
        }
    }

    Tree(LongSupplier clock, String superuser, String supergroup, int rootMode) {
        this.clock = clock;
        this.superuser = superuser;
        this.supergroup = supergroup;
        this.root = new Node(Handle.ROOT, true, rootMode, superuser, supergroup, clock.getAsLong());
    }

    Node make(boolean directory, int mode, Asker asker, String group) {
        lastSequence++;
        return new Node(
                Handle.of(Handle.FIRST_SHARD_OWNER, 0, lastSequence),
                directory,
                mode,
                asker.user(),
                group,
                clock.getAsLong());
    }

    Walk walk(Asker asker, FsPath path) throws FsException {
        List<String> names = path.components();
        if (names.isEmpty()) {
            return new Walk(path, root, 0, root, true);
        }
        Node directory = root;
        for (int i = 0; ; i++) {
            require(asker, directory, EXECUTE, "/" + String.join("/", names.subList(0, i)));
            Node child = directory.children.get(names.get(i));
            if (child == null || i == names.size() - 1) {
                return new Walk(path, directory, i, child == null ? root : child, child != null);
            }
            if (!child.directory) {
                throw new FsException(
                        FsError.NOT_A_DIRECTORY, "/" + String.join("/", names.subList(0, i + 1)) + " is a file");
            }
            directory = child;
        }
    }

    Node find(Asker asker, FsPath path) throws FsException {
        Walk walk = walk(asker, path);
        if (!walk.isFound()) {
            throw walk.notFound();
        }
        return walk.found();
    }

    static boolean allows(Asker asker, Node node, int wanted) {
        if (asker.superuser()) {
            return true;
        }
        int bits = asker.user().equals(node.owner)
                ? node.mode >> 6
                : asker.groups().contains(node.group) ? node.mode >> 3 : node.mode;
        return (bits & wanted) == wanted;
    }

    static void require(Asker asker, Node node, int wanted, String what) throws FsException {
        if (!allows(asker, node, wanted)) {
            throw denied("user " + asker.user() + " lacks permission " + wanted + " on " + what);
        }
    }

    static void requireOwner(Asker asker, Node node, String what) throws FsException {
        if (!asker.superuser() && !asker.user().equals(node.owner)) {
            throw denied("user " + asker.user() + " is not the owner of " + what);
        }
    }

    /** May the asker take the entry out of the directory? */
    static void requireSticky(Asker asker, Node directory, Node entry, String what) throws FsException {
        if ((directory.mode & STICKY) != 0
                && !asker.superuser()
                && !asker.user().equals(directory.owner)
                && !asker.user().equals(entry.owner)) {
            throw denied("user " + asker.user() + " owns neither " + what + " nor its sticky parent");
        }
    }

    /** Of a tree that goes as a whole: whether the asker could empty every directory in it. */
    static void requireTree(Asker asker, Node directory, String what) throws FsException {
        if (directory.directory && !directory.children.isEmpty()) {
            require(asker, directory, READ | WRITE | EXECUTE, what);
            for (var child : directory.children.entrySet()) {
                requireSticky(asker, directory, child.getValue(), what + "/" + child.getKey());
                requireTree(asker, child.getValue(), what + "/" + child.getKey());
            }
        }
    }

    static FsException denied(String message) {
        return new FsException(FsError.PERMISSION_DENIED, message);
    }

    void touch(Node directory) {
        directory.modificationTime = clock.getAsLong();
        directory.version++;
    }

    static void remove(Node node) {
        node.removed = true;
        node.children.values().forEach(Tree::remove);
    }
}
