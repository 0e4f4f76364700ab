package io.steadfs.webui.namespace;

import com.google.protobuf.ByteString;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The directories of a file system, as the superuser sees them. Thread-safe. */
public interface Directories {
    /** @throws FsException also NOT_FOUND */
    FileInfo info(FsPath path) throws FsException;

    /**
     * A part of a directory.
     *
     * @param cursor of the part before; empty = from the beginning
     * @param limit entries at most
     */
    ListPage list(FsPath path, ByteString cursor, int limit) throws FsException;

    /**
     * A part of a directory's names.
     *
     * @param shard where it is
     * @param server that hosts the shard; null where none does
     * @param entries names in it; null where the shard does not tell
     */
    record Partition(
            int number,
            int shard,
            @Nullable String server,
            @Nullable Long entries) {}

    /**
     * Where the names of a directory are.
     *
     * @param problems shards that did not answer, so that partitions may be missing
     */
    record Partitions(List<Partition> partitions, List<String> problems) {}

    /** By number. */
    Partitions partitions(Handle directory) throws FsException;

    /** Server that hosts a shard; null where none does. */
    @Nullable
    String host(int shard) throws FsException;
}
