package io.steadfs.client.reference;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.LinkException;
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
    record Principal(String user, Set<String> groups, boolean superuser) {}

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

    Node make(boolean directory, int mode, Principal principal, String group) {
        lastSequence++;
        return new Node(
                Handle.of(Handle.FIRST_SHARD_OWNER, 0, lastSequence),
                directory,
                mode,
                principal.user(),
                group,
                clock.getAsLong());
    }

    /** Takes a symbolic link as the last name for what it is. */
    Walk walk(Principal principal, FsPath path) throws FsException {
        return walk(principal, path, false);
    }

    /** @param follows whether a symbolic link as the last name leads on */
    Walk walk(Principal principal, FsPath path, boolean follows) throws FsException {
        List<String> names = path.components();
        if (names.isEmpty()) {
            return new Walk(path, root, 0, root, true);
        }
        Node directory = root;
        for (int i = 0; ; i++) {
            require(principal, directory, EXECUTE, "/" + String.join("/", names.subList(0, i)));
            Node child = directory.children.get(names.get(i));
            if (child != null && child.link != null && (follows || i < names.size() - 1)) {
                throw new LinkException(
                        "/" + String.join("/", names.subList(0, i + 1)) + " is a symbolic link to " + child.link,
                        child.link,
                        String.join("/", names.subList(i + 1, names.size())),
                        false);
            }
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

    Node find(Principal principal, FsPath path) throws FsException {
        return find(principal, path, true);
    }

    Node find(Principal principal, FsPath path, boolean follows) throws FsException {
        Walk walk = walk(principal, path, follows);
        if (!walk.isFound()) {
            throw walk.notFound();
        }
        return walk.found();
    }

    static boolean allows(Principal principal, Node node, int wanted) {
        if (principal.superuser()) {
            return true;
        }
        int bits = principal.user().equals(node.owner)
                ? node.mode >> 6
                : principal.groups().contains(node.group) ? node.mode >> 3 : node.mode;
        return (bits & wanted) == wanted;
    }

    static void require(Principal principal, Node node, int wanted, String what) throws FsException {
        if (!allows(principal, node, wanted)) {
            throw denied("user " + principal.user() + " lacks permission " + wanted + " on " + what);
        }
    }

    static void requireOwner(Principal principal, Node node, String what) throws FsException {
        if (!principal.superuser() && !principal.user().equals(node.owner)) {
            throw denied("user " + principal.user() + " is not the owner of " + what);
        }
    }

    /** May the caller take the entry out of the directory? */
    static void requireSticky(Principal principal, Node directory, Node entry, String what) throws FsException {
        if ((directory.mode & STICKY) != 0
                && !principal.superuser()
                && !principal.user().equals(directory.owner)
                && !principal.user().equals(entry.owner)) {
            throw denied("user " + principal.user() + " owns neither " + what + " nor its sticky parent");
        }
    }

    /** Of a tree that goes as a whole: whether the caller could empty every directory in it. */
    static void requireTree(Principal principal, Node directory, String what) throws FsException {
        if (directory.directory && !directory.children.isEmpty()) {
            require(principal, directory, READ | WRITE | EXECUTE, what);
            for (var child : directory.children.entrySet()) {
                requireSticky(principal, directory, child.getValue(), what + "/" + child.getKey());
                requireTree(principal, child.getValue(), what + "/" + child.getKey());
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
