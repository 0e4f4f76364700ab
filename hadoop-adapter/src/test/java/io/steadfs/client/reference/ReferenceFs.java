package io.steadfs.client.reference;

import com.google.protobuf.ByteString;
import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.ContentSummary;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.client.list.PartitionInfo;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.reference.Tree.Principal;
import io.steadfs.client.reference.Tree.Walk;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.error.LinkException;
import io.steadfs.path.FsPath;
import io.steadfs.path.LinkTarget;
import io.steadfs.wire.proto.ClusterMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules of SteadFS as plainly as they can be written: one tree, one lock, bytes in arrays. A test runs the same
 * operations on this and on the real thing and compares results and errors; no rule is left out here for brevity, and
 * nothing is fast. Callers of one file system are made by {@link #as}.
 */
public final class ReferenceFs implements SteadFs {
    /** Id of the one IO server in the cluster map. */
    public static final int IO_SERVER = 1;

    private static final long BLOCK_SIZE = 128L << 20;
    private static final int MAX_XATTR_BYTES = 64 * 1024;
    private static final int MAX_XATTRS = 256;
    private static final int MODE_BITS = 01777;

    private final Tree tree;
    private final Principal principal;

    private ReferenceFs(Tree tree, Principal principal) {
        this.tree = tree;
        this.principal = principal;
    }

    /** A new file system with nothing in it, seen as its superuser. The root has mode 0755. */
    public static ReferenceFs format(String superuser) {
        return format(superuser, System::currentTimeMillis);
    }

    /** @param clock milliseconds since 1970 */
    public static ReferenceFs format(String superuser, LongSupplier clock) {
        Tree tree = new Tree(clock, superuser, "supergroup", 0755);
        return new ReferenceFs(tree, new Principal(superuser, Set.of(), true));
    }

    /** The same file system for another caller. */
    public ReferenceFs as(String user, List<String> groups) {
        boolean superuser = user.equals(tree.superuser) || groups.contains(tree.supergroup);
        return new ReferenceFs(tree, new Principal(user, Set.copyOf(groups), superuser));
    }

    @Override
    public FileInfo stat(FsPath path) throws FsException {
        synchronized (tree) {
            return tree.find(principal, path).info();
        }
    }

    @Override
    public FileInfo statLink(FsPath path) throws FsException {
        synchronized (tree) {
            return tree.find(principal, path, false).info();
        }
    }

    @Override
    public FileInfo createSymlink(FsPath link, String target, boolean createParents, int parentMode)
            throws FsException {
        synchronized (tree) {
            LinkTarget.checked(target);
            Walk walk = tree.walk(principal, link);
            if (walk.isFound()) {
                throw new FsException(
                        walk.found().directory ? FsError.IS_A_DIRECTORY : FsError.ALREADY_EXISTS, link + " exists");
            }
            if (!walk.isParentFound() && !createParents) {
                throw walk.notFound();
            }
            Tree.require(principal, walk.parent(), Tree.WRITE, walk.parentText());
            Node parent = makeParents(walk, parentMode);
            Node made = tree.make(false, 0777, principal, walk.parent().group);
            made.link = target;
            parent.children.put(link.name(), made);
            return made.info();
        }
    }

    @Override
    public FileInfo access(FsPath path, int bits) throws FsException {
        synchronized (tree) {
            Node node = tree.find(principal, path);
            Tree.require(principal, node, bits, path.toString());
            return node.info();
        }
    }

    @Override
    public FileWriter create(FsPath path, CreateOptions options) throws FsException {
        synchronized (tree) {
            Walk walk = tree.walk(principal, path, true);
            if (walk.isFound()) {
                if (walk.found().directory) {
                    throw new FsException(FsError.IS_A_DIRECTORY, path + " is a directory");
                }
                if (!options.overwrite()) {
                    throw new FsException(FsError.ALREADY_EXISTS, path + " exists");
                }
            } else if (!walk.isParentFound() && !options.createParents()) {
                throw walk.notFound();
            }
            Tree.require(principal, walk.parent(), Tree.WRITE, walk.parentText());
            if (walk.isFound()) {
                Tree.require(principal, walk.found(), Tree.WRITE, path.toString());
                Tree.remove(walk.found());
            }
            Node parent = makeParents(
                    walk,
                    options.parentMode() == CreateOptions.AS_ABOVE ? walk.parent().mode & 0777 : options.parentMode());
            Node file = tree.make(false, options.mode() & MODE_BITS, principal, walk.parent().group);
            file.blockSize = options.blockSize() == 0 ? BLOCK_SIZE : options.blockSize();
            file.replication = Math.max(1, options.replication());
            file.open = true;
            parent.children.put(path.name(), file);
            return new ReferenceWriter(tree, file, path.toString());
        }
    }

    /** The directory that the last component belongs in. */
    private Node makeParents(Walk walk, int mode) {
        tree.touch(walk.parent());
        Node parent = walk.parent();
        for (int i = walk.reached(); i < walk.path().depth() - 1; i++) {
            Node made = tree.make(true, (mode & MODE_BITS) | 0300, principal, walk.parent().group);
            parent.children.put(walk.path().components().get(i), made);
            parent = made;
        }
        return parent;
    }

    private Node closedFile(FsPath path) throws FsException {
        Node node = writableFile(path);
        if (node.open) {
            throw new FsException(FsError.FILE_OPEN, path + " has a writer");
        }
        return node;
    }

    private Node writableFile(FsPath path) throws FsException {
        Node node = tree.find(principal, path);
        if (node.directory) {
            throw new FsException(FsError.IS_A_DIRECTORY, path + " is a directory");
        }
        Tree.require(principal, node, Tree.WRITE, path.toString());
        return node;
    }

    @Override
    public FileWriter append(FsPath path) throws FsException {
        synchronized (tree) {
            Node file = closedFile(path);
            file.open = true;
            file.writeGeneration++;
            file.version++;
            return new ReferenceWriter(tree, file, path.toString());
        }
    }

    @Override
    public FileInfo truncate(FsPath path, long length) throws FsException {
        synchronized (tree) {
            Node file = closedFile(path);
            if (length < 0 || length > file.length) {
                throw new FsException(FsError.INVALID_ARGUMENT, path + " has " + file.length + " bytes");
            }
            if (length < file.length) {
                file.bytes = Arrays.copyOf(file.bytes, (int) length);
                file.length = length;
                file.writeGeneration++;
                file.version++;
                tree.touch(file);
            }
            return file.info();
        }
    }

    /** At once, unlike the real thing. */
    @Override
    public boolean recoverLease(FsPath path) throws FsException {
        synchronized (tree) {
            Node file = writableFile(path);
            boolean closed = !file.open;
            if (file.open) {
                file.open = false;
                file.length = file.bytes.length;
                file.writeGeneration++;
                file.version++;
            }
            return closed;
        }
    }

    @Override
    public boolean isFileClosed(FsPath path) throws FsException {
        synchronized (tree) {
            Node node = tree.find(principal, path);
            if (node.directory) {
                throw new FsException(FsError.IS_A_DIRECTORY, path + " is a directory");
            }
            return !node.open;
        }
    }

    @Override
    public FileReader open(FsPath path) throws FsException {
        synchronized (tree) {
            Node node = tree.find(principal, path);
            if (node.directory) {
                throw new FsException(FsError.IS_A_DIRECTORY, path + " is a directory");
            }
            Tree.require(principal, node, Tree.READ, path.toString());
            return new ReferenceReader(node.info(), node.bytes);
        }
    }

    @Override
    public FileReader open(FsPath path, FileInfo known) throws FsException {
        return open(path);
    }

    @Override
    public FileReader openToldLength(FsPath path, long told) throws FsException {
        synchronized (tree) {
            FileReader reader = open(path);
            Node node = tree.find(principal, path);
            return node.open && told < reader.length()
                    ? new ReferenceReader(node.info(), Arrays.copyOf(node.bytes, (int) told))
                    : reader;
        }
    }

    @Override
    public FileInfo mkdirs(FsPath path, int mode, boolean createParents, boolean exclusive) throws FsException {
        synchronized (tree) {
            Walk walk = tree.walk(principal, path, true);
            if (walk.isFound()) {
                if (!walk.found().directory || exclusive) {
                    throw new FsException(FsError.ALREADY_EXISTS, path + " exists");
                }
                return walk.found().info();
            }
            if (!walk.isParentFound() && !createParents) {
                throw walk.notFound();
            }
            Tree.require(principal, walk.parent(), Tree.WRITE, walk.parentText());
            Node parent = makeParents(walk, mode);
            Node made = tree.make(true, mode & MODE_BITS, principal, walk.parent().group);
            parent.children.put(path.name(), made);
            return made.info();
        }
    }

    @Override
    public Iterator<Entry> list(FsPath path) throws FsException {
        return listSorted(path).iterator();
    }

    @Override
    public ListPage list(FsPath path, ByteString cursor, int limit) throws FsException {
        List<Entry> entries = listSorted(path).stream()
                .filter(entry -> cursor.isEmpty() || entry.name().compareTo(cursor.toStringUtf8()) > 0)
                .toList();
        return entries.size() <= limit
                ? new ListPage(entries, ByteString.EMPTY)
                : new ListPage(
                        entries.subList(0, limit),
                        ByteString.copyFromUtf8(entries.get(limit - 1).name()));
    }

    @Override
    public List<Entry> listSorted(FsPath path) throws FsException {
        synchronized (tree) {
            Node node = tree.find(principal, path);
            if (!node.directory) {
                return List.of(new Entry("", node.info()));
            }
            Tree.require(principal, node, Tree.READ | Tree.EXECUTE, path.toString());
            List<Entry> entries = new ArrayList<>();
            node.children.forEach((name, child) -> entries.add(new Entry(name, child.info())));
            return entries;
        }
    }

    @Override
    public Iterator<Entry> listTree(FsPath path, boolean wantDirectories) throws FsException {
        synchronized (tree) {
            Node node = tree.find(principal, path);
            if (!node.directory) {
                return List.of(new Entry("", node.info())).iterator();
            }
            List<Entry> entries = new ArrayList<>();
            collect(node, "", path.toString(), wantDirectories, entries);
            return entries.iterator();
        }
    }

    private void collect(Node directory, String prefix, String text, boolean wantDirectories, List<Entry> entries)
            throws FsException {
        Tree.require(principal, directory, Tree.READ | Tree.EXECUTE, text);
        for (Map.Entry<String, Node> child : directory.children.entrySet()) {
            String name = prefix + child.getKey();
            if (!child.getValue().directory || wantDirectories) {
                entries.add(new Entry(name, child.getValue().info()));
            }
            if (child.getValue().directory) {
                collect(child.getValue(), name + "/", text + "/" + child.getKey(), wantDirectories, entries);
            }
        }
    }

    @Override
    public void delete(FsPath path, boolean recursive) throws FsException {
        synchronized (tree) {
            if (path.isRoot()) {
                throw new FsException(FsError.INVALID_ARGUMENT, "the root cannot be deleted");
            }
            Walk walk = tree.walk(principal, path);
            if (!walk.isFound()) {
                throw walk.notFound();
            }
            Node node = walk.found();
            Tree.require(principal, walk.parent(), Tree.WRITE, walk.parentText());
            Tree.requireSticky(principal, walk.parent(), node, path.toString());
            if (!node.children.isEmpty()) {
                if (!recursive) {
                    throw new FsException(FsError.NOT_EMPTY, path + " has " + node.children.size() + " entries");
                }
                Tree.requireTree(principal, node, path.toString());
            }
            walk.parent().children.remove(path.name());
            tree.touch(walk.parent());
            Tree.remove(node);
        }
    }

    @Override
    public boolean rename(FsPath source, FsPath target, RenameMode mode) throws FsException {
        synchronized (tree) {
            if (source.isRoot()) {
                throw new FsException(FsError.INVALID_RENAME, "the root cannot be renamed");
            }
            Walk from = tree.walk(principal, source);
            if (!from.isFound()) {
                throw from.notFound();
            }
            Node moved = from.found();
            Walk walk = walkToTarget(target);
            if (walk.isFound() && walk.found() == moved) {
                return false;
            }
            FsPath exact = target;
            Node parent = walk.parent();
            @Nullable Node existing = walk.isFound() ? walk.found() : null;
            if (mode == RenameMode.INTO_DIRECTORY && walk.isFound() && walk.found().directory) {
                Tree.require(principal, walk.found(), Tree.EXECUTE, target.toString());
                exact = target.child(source.name());
                parent = walk.found();
                existing = parent.children.get(source.name());
                if (existing == moved) {
                    return false;
                }
            } else if (target.isRoot()) {
                throw new FsException(FsError.INVALID_RENAME, source + " cannot take the place of the root");
            }
            if (moved.directory && source.covers(exact)) {
                throw new FsException(FsError.INVALID_RENAME, source + " cannot be moved below itself, to " + exact);
            }
            if (!walk.isParentFound()) {
                throw walk.notFound();
            }
            Tree.require(principal, from.parent(), Tree.WRITE, from.parentText());
            Tree.requireSticky(principal, from.parent(), moved, source.toString());
            Tree.require(principal, parent, Tree.WRITE, exact.parent().toString());
            requireNotOwnTarget(moved, source, exact);
            if (existing != null) {
                checkReplaced(moved, parent, existing, exact, mode);
                Tree.remove(existing);
            }
            from.parent().children.remove(source.name());
            parent.children.put(exact.name(), moved);
            tree.touch(from.parent());
            tree.touch(parent);
            return true;
        }
    }

    private static void requireNotOwnTarget(Node moved, FsPath source, FsPath exact) throws FsException {
        if (moved.link != null
                && LinkTarget.isPath(moved.link)
                && (LinkTarget.from(source, moved.link).equals(exact)
                        || LinkTarget.from(exact, moved.link).equals(exact))) {
            throw new FsException(FsError.ALREADY_EXISTS, source + " is a symbolic link to " + exact);
        }
    }

    private Walk walkToTarget(FsPath target) throws FsException {
        try {
            return tree.walk(principal, target);
        } catch (LinkException link) {
            throw new LinkException(link.words(), link.target(), link.rest(), true);
        }
    }

    private void checkReplaced(Node moved, Node parent, Node existing, FsPath exact, RenameMode mode)
            throws FsException {
        if (mode != RenameMode.OVERWRITE) {
            throw new FsException(FsError.ALREADY_EXISTS, exact + " exists");
        }
        if (existing.directory && !moved.directory) {
            throw new FsException(FsError.IS_A_DIRECTORY, exact + " is a directory, the source a file");
        }
        if (!existing.directory && moved.directory) {
            throw new FsException(FsError.NOT_A_DIRECTORY, exact + " is a file, the source a directory");
        }
        Tree.requireSticky(principal, parent, existing, exact.toString());
        if (!existing.children.isEmpty()) {
            throw new FsException(FsError.NOT_EMPTY, exact + " has " + existing.children.size() + " entries");
        }
    }

    @Override
    public FileInfo setAttributes(FsPath path, AttributeChange change) throws FsException {
        synchronized (tree) {
            Node node = tree.find(principal, path);
            FileInfo now = node.info();
            if (change.expected()
                    .filter(seen -> !seen.equals(new AttributeChange.Expected(now.handle(), now.version())))
                    .isPresent()) {
                throw new FsException(
                        FsError.STALE_VERSION, path + " is " + now.handle() + " at version " + now.version());
            }
            checkChange(path, node, change);
            change.mode().ifPresent(mode -> node.mode = mode & MODE_BITS);
            change.owner().ifPresent(owner -> node.owner = owner);
            change.group().ifPresent(group -> node.group = group);
            change.modificationTime().ifPresent(time -> node.modificationTime = time);
            change.accessTime().ifPresent(time -> node.accessTime = time);
            change.replication().ifPresent(copies -> node.replication = copies);
            node.version++;
            return node.info();
        }
    }

    private void checkChange(FsPath path, Node node, AttributeChange change) throws FsException {
        String what = path.toString();
        if (change.mode().isPresent()
                || change.owner().isPresent()
                || change.group().isPresent()) {
            Tree.requireOwner(principal, node, what);
        }
        if (!principal.superuser()) {
            if (change.owner().isPresent() && !change.owner().get().equals(node.owner)) {
                throw Tree.denied("only the superuser may give away " + what);
            }
            if (change.group().isPresent()
                    && !principal.groups().contains(change.group().get())) {
                throw Tree.denied("user " + principal.user() + " is not in group "
                        + change.group().get());
            }
        }
        if (change.replication().isPresent()) {
            Tree.require(principal, node, Tree.WRITE, what);
            if (node.directory) {
                throw new FsException(FsError.IS_A_DIRECTORY, what + " is a directory");
            }
        }
        boolean times =
                change.modificationTime().isPresent() || change.accessTime().isPresent();
        // Who sets nothing needs the same right.
        boolean nothing = change.mode().isEmpty()
                && change.owner().isEmpty()
                && change.group().isEmpty()
                && change.replication().isEmpty();
        if ((times || nothing) && !principal.user().equals(node.owner)) {
            Tree.require(principal, node, Tree.WRITE, what);
        }
    }

    @Override
    public void setXattr(FsPath path, String name, byte[] value, boolean create, boolean replace) throws FsException {
        synchronized (tree) {
            checkXattrName(name);
            requireVisible(name);
            if (!create && !replace) {
                throw new FsException(FsError.INVALID_ARGUMENT, "neither making nor replacing " + name + " is allowed");
            }
            if (value.length > MAX_XATTR_BYTES) {
                throw new FsException(FsError.TOO_LARGE, "value of " + value.length + " bytes for " + name);
            }
            Node node = tree.find(principal, path);
            requireXattrChange(node, path);
            boolean there = node.xattrs.containsKey(name);
            if (there && !replace) {
                throw new FsException(FsError.XATTR_EXISTS, path + " has " + name);
            }
            if (!there && !create) {
                throw new FsException(FsError.XATTR_NOT_FOUND, path + " has no " + name);
            }
            if (!there && node.xattrs.size() == MAX_XATTRS) {
                throw new FsException(FsError.TOO_LARGE, path + " has " + MAX_XATTRS + " xattrs");
            }
            node.xattrs.put(name, value.clone());
        }
    }

    private static void checkXattrName(String name) throws FsException {
        boolean known =
                Stream.of("user.", "trusted.", "system.", "security.", "raw.").anyMatch(name::startsWith);
        if (!known || name.indexOf('.') == name.length() - 1 || name.indexOf('\0') >= 0) {
            throw new FsException(FsError.INVALID_ARGUMENT, "xattr name '" + name + "'");
        }
        if (name.getBytes(StandardCharsets.UTF_8).length > FsPath.MAX_NAME_BYTES) {
            throw new FsException(FsError.NAME_TOO_LONG, "xattr name " + name);
        }
    }

    private boolean visible(String name) {
        return name.startsWith("user.") || (name.startsWith("trusted.") && principal.superuser());
    }

    private void requireVisible(String name) throws FsException {
        if (!visible(name)) {
            throw Tree.denied("user " + principal.user() + " may not use xattr " + name);
        }
    }

    /** Of a sticky directory only the owner may change xattrs; of all else, whoever may write it. */
    private void requireXattrChange(Node node, FsPath path) throws FsException {
        if (node.directory && (node.mode & Tree.STICKY) != 0) {
            Tree.requireOwner(principal, node, path.toString());
        } else {
            Tree.require(principal, node, Tree.WRITE, path.toString());
        }
    }

    @Override
    public Map<String, byte[]> getXattrs(FsPath path, List<String> names) throws FsException {
        synchronized (tree) {
            for (String name : names) {
                checkXattrName(name);
                requireVisible(name);
            }
            Node node = tree.find(principal, path);
            Tree.require(principal, node, Tree.READ, path.toString());
            Map<String, byte[]> found = new TreeMap<>();
            for (String name : names.isEmpty() ? node.xattrs.keySet() : names) {
                byte[] value = node.xattrs.get(name);
                if (value == null) {
                    throw new FsException(FsError.XATTR_NOT_FOUND, path + " has no " + name);
                }
                if (visible(name)) {
                    found.put(name, value.clone());
                }
            }
            return found;
        }
    }

    @Override
    public void removeXattr(FsPath path, String name) throws FsException {
        synchronized (tree) {
            checkXattrName(name);
            requireVisible(name);
            Node node = tree.find(principal, path);
            requireXattrChange(node, path);
            if (node.xattrs.remove(name) == null) {
                throw new FsException(FsError.XATTR_NOT_FOUND, path + " has no " + name);
            }
        }
    }

    @Override
    public ContentSummary contentSummary(FsPath path) throws FsException {
        synchronized (tree) {
            return sum(tree.find(principal, path), path.toString());
        }
    }

    @Override
    public List<PartitionInfo> partitions(FsPath path) throws FsException {
        synchronized (tree) {
            Node node = tree.find(principal, path);
            return List.of(new PartitionInfo(0, 0, 0, node.children.size()));
        }
    }

    private ContentSummary sum(Node node, String text) throws FsException {
        if (!node.directory) {
            long told = node.info().length();
            return new ContentSummary(told, 1, 0, told);
        }
        Tree.require(principal, node, Tree.READ | Tree.EXECUTE, text);
        long length = 0;
        long files = 0;
        long directories = 1;
        for (Map.Entry<String, Node> child : node.children.entrySet()) {
            if (child.getValue().link != null) {
                continue;
            }
            ContentSummary below = sum(child.getValue(), text + "/" + child.getKey());
            length += below.length();
            files += below.files();
            directories += below.directories();
        }
        return new ContentSummary(length, files, directories, length);
    }

    @Override
    public ClusterMap clusterMap() {
        return ClusterMap.newBuilder()
                .setEpoch(1)
                .setFileSystem("reference")
                .setShardCount(1)
                .addServers(ClusterMap.Server.newBuilder()
                        .setRole(ClusterMap.Role.IO)
                        .setId(IO_SERVER)
                        .setHost("reference.example")
                        .setPort(1)
                        .setAlive(true)
                        .setCapacityBytes(1L << 40)
                        .setFreeBytes(1L << 39))
                .setStripSize(1 << 20)
                .setWidth(1)
                .setBlockSize(BLOCK_SIZE)
                .build();
    }

    @Override
    public ClusterMap knownClusterMap() {
        return clusterMap();
    }

    @Override
    public void close() {}
}
