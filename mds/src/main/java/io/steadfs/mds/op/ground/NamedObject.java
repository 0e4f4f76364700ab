package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.wire.proto.FileType;
import java.util.Optional;

/**
 * The object to which a name on this shard leads. The object may be on another shard. A symbolic link is an object too.
 *
 * @param symlink the link, if the object is a symbolic link
 * @param text the path, for messages
 */
public record NamedObject(Handle handle, boolean directory, Optional<SymlinkNode> symlink, String text) {
    public static NamedObject of(DirentRow dirent, String text) {
        Handle handle = new Handle(dirent.getHandle());
        return new NamedObject(
                handle,
                dirent.getType() == EntryType.ENTRY_DIRECTORY,
                dirent.hasSymlink() ? Optional.of(new SymlinkNode(handle, dirent.getSymlink())) : Optional.empty(),
                text);
    }

    /** Whether this shard has the object. A symbolic link is where its name is. */
    public boolean isHere(Context context) {
        return symlink.isPresent() || context.owns(handle);
    }

    public FileType type() {
        return directory ? FileType.DIRECTORY : symlink.isPresent() ? FileType.SYMLINK : FileType.FILE;
    }

    /** The record that gives the object this name. */
    public DirentSet named(DirentKey key) {
        return directory
                ? DirentSet.directory(key, handle)
                : symlink.map(link -> DirentSet.symlink(key, handle, link.row()))
                        .orElseGet(() -> DirentSet.file(key, handle));
    }

    /**
     * The object's owner and permissions, for permission checks. If the object is on another shard, this method asks
     * that shard.
     */
    public Guarded guard(Context context) throws Refused {
        if (isHere(context)) {
            return described(context);
        }
        return new RemoteObject(RemoteAttributes.permissions(handle, context).orElseThrow(this::dangling));
    }

    /** Whether the object exists on this shard. */
    public boolean exists(Context context) {
        return symlink.isPresent() || isRowHere(context);
    }

    private boolean isRowHere(Context context) {
        return directory
                ? Directories.find(context.view(), handle).isPresent()
                : Metafiles.find(context.view(), handle).isPresent();
    }

    /** The object, which must be on this shard. */
    public Described described(Context context) {
        return symlink.isPresent() ? symlink.get() : node(context);
    }

    /** The file or directory, which must be on this shard. */
    public Node node(Context context) {
        return directory ? directoryNode(context) : fileNode(context);
    }

    /** The file, which must be on this shard. */
    FileNode fileNode(Context context) {
        return new FileNode(handle, Metafiles.find(context.view(), handle).orElseThrow(this::dangling));
    }

    /** The directory, which must be on this shard. */
    public DirectoryNode directoryNode(Context context) {
        return new DirectoryNode(
                handle, Directories.find(context.view(), handle).orElseThrow(this::dangling));
    }

    private DanglingDirent dangling() {
        return new DanglingDirent(
                "dirent " + text + " points to missing " + (directory ? "directory " : "metafile ") + handle);
    }
}
