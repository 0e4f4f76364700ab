package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.metafile.Metafiles;

/**
 * The object to which a name of this shard leads. The object may be at another shard.
 *
 * @param text the path, for people
 */
public record NamedObject(Handle handle, boolean directory, String text) {
    public static NamedObject of(DirentRow dirent, String text) {
        return new NamedObject(new Handle(dirent.getHandle()), dirent.getType() == EntryType.ENTRY_DIRECTORY, text);
    }

    public boolean isHere(Context context) {
        return context.owns(handle);
    }

    /** The object's owner and permissions, for checks. If the object is at another shard, that shard is asked. */
    public Guarded guard(Context context) throws Refused {
        if (isHere(context)) {
            return node(context);
        }
        return new RemoteObject(RemoteAttributes.of(handle, context).orElseThrow(this::dangling));
    }

    /** Whether the object exists on this shard. */
    public boolean exists(Context context) {
        return directory
                ? Directories.find(context.view(), handle).isPresent()
                : Metafiles.find(context.view(), handle).isPresent();
    }

    /** The object. Only for an object of this shard. */
    public Node node(Context context) {
        return directory ? directoryNode(context) : fileNode(context);
    }

    /** The file. Only for a file of this shard. */
    FileNode fileNode(Context context) {
        return new FileNode(handle, Metafiles.find(context.view(), handle).orElseThrow(this::dangling));
    }

    /** The directory. Only for a directory of this shard. */
    public DirectoryNode directoryNode(Context context) {
        return new DirectoryNode(
                handle, Directories.find(context.view(), handle).orElseThrow(this::dangling));
    }

    private DanglingDirent dangling() {
        return new DanglingDirent(
                "dirent " + text + " points to missing " + (directory ? "directory " : "metafile ") + handle);
    }
}
