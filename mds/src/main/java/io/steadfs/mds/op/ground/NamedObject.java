package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.metafile.Metafiles;

/**
 * What a name of this shard leads to, here or at another shard.
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

    /** For checks of permission: asks the object's shard where that is another. */
    public Guarded guard(Context context) throws Refused {
        if (isHere(context)) {
            return node(context);
        }
        return new RemoteObject(RemoteAttributes.of(handle, context).orElseThrow(this::dangling));
    }

    /** Whether there is such an object on this shard. */
    public boolean exists(Context context) {
        return directory
                ? Directories.find(context.view(), handle).isPresent()
                : Metafiles.find(context.view(), handle).isPresent();
    }

    /** The object; for one of this shard. */
    public Node node(Context context) {
        return directory ? directoryNode(context) : fileNode(context);
    }

    /** The file; for one of this shard. */
    FileNode fileNode(Context context) {
        return new FileNode(handle, Metafiles.find(context.view(), handle).orElseThrow(this::dangling));
    }

    /** The directory; for one of this shard. */
    public DirectoryNode directoryNode(Context context) {
        return new DirectoryNode(
                handle, Directories.find(context.view(), handle).orElseThrow(this::dangling));
    }

    private DanglingDirent dangling() {
        return new DanglingDirent(
                "dirent " + text + " points to missing " + (directory ? "directory " : "metafile ") + handle);
    }
}
