package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.metafile.Metafiles;

/**
 * The object to which a name on this shard leads. The object may be on another shard.
 *
 * @param text the path, for messages
 */
public record NamedObject(Handle handle, boolean directory, String text) {
    public static NamedObject of(DirentRow dirent, String text) {
        return new NamedObject(new Handle(dirent.getHandle()), dirent.getType() == EntryType.ENTRY_DIRECTORY, text);
    }

    public boolean isHere(Context context) {
        return context.owns(handle);
    }

    /**
     * The object's owner and permissions, for permission checks. If the object is on another shard, this method asks
     * that shard.
     */
    public Guarded guard(Context context) throws Refused {
        if (isHere(context)) {
            return node(context);
        }
        return new RemoteObject(RemoteAttributes.of(handle, false, context).orElseThrow(this::dangling));
    }

    /** Whether the object exists on this shard. */
    public boolean exists(Context context) {
        return directory
                ? Directories.find(context.view(), handle).isPresent()
                : Metafiles.find(context.view(), handle).isPresent();
    }

    /** The object, which must be on this shard. */
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
