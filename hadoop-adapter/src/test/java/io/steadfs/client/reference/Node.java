package io.steadfs.client.reference;

import io.steadfs.client.list.FileInfo;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.layout.Striping;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A file, directory or symbolic link. */
final class Node {
    private static final int STRIP_SIZE = 1 << 20;

    final Handle handle;
    final boolean directory;
    int mode;
    String owner;
    String group;
    long modificationTime;
    long accessTime;
    long blockSize;
    int replication = 1;
    long version = 1;
    final TreeMap<String, byte[]> xattrs = new TreeMap<>();

    /** Of a directory: entries by name. */
    final TreeMap<String, Node> children = new TreeMap<>();

    /** Of a file: bytes that new readers see. */
    byte[] bytes = {};

    /** Of a file: bytes that are durable for sure. */
    long length;

    boolean open;

    /** Of a file: rises when it gets a writer, or loses one. */
    long writeGeneration = 1;

    /** It has a name, or had one when it was opened. */
    boolean removed;

    /** Of a symbolic link: its target. */
    @Nullable
    String link;

    Node(Handle handle, boolean directory, int mode, String owner, String group, long now) {
        this.handle = handle;
        this.directory = directory;
        this.mode = mode;
        this.owner = owner;
        this.group = group;
        this.modificationTime = now;
        this.accessTime = now;
    }

    FileInfo info() {
        if (link != null) {
            return new FileInfo(
                    handle,
                    false,
                    mode,
                    owner,
                    group,
                    0,
                    0,
                    modificationTime,
                    accessTime,
                    0,
                    1,
                    false,
                    0,
                    version,
                    Optional.empty(),
                    Optional.of(link));
        }
        return new FileInfo(
                handle,
                directory,
                mode,
                owner,
                group,
                directory ? 0 : open ? bytes.length : length,
                directory ? 0 : length,
                modificationTime,
                accessTime,
                blockSize,
                replication,
                open,
                directory ? 0 : writeGeneration,
                version,
                directory ? Optional.empty() : Optional.of(layout()),
                Optional.empty());
    }

    /** One column on one server, which has a datafile once there are bytes. */
    private Layout layout() {
        Handle datafile = bytes.length == 0 ? Handle.NONE : Handle.of(ReferenceFs.IO_SERVER, 0, handle.sequence());
        return new Layout(new Striping(STRIP_SIZE, 1), 1, List.of(ReferenceFs.IO_SERVER), List.of(datafile), version);
    }
}
