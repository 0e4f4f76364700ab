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
     * A page of a directory.
     *
     * @param cursor of the previous page; empty = from the beginning
     * @param limit entries at most
     */
    ListPage list(FsPath path, ByteString cursor, int limit) throws FsException;

    /**
     * A partition of a directory's names.
     *
     * @param shard where it is
     * @param server that hosts the shard; null if none does
     * @param entries number of names in it; null if the shard does not answer
     */
    record Partition(
            int number,
            int shard,
            @Nullable String server,
            @Nullable Long entries) {}

    /**
     * The partitions of a directory.
     *
     * @param problems shards that did not answer, so that partitions may be missing
     */
    record Partitions(List<Partition> partitions, List<String> problems) {}

    /** The directory's partitions by number. */
    Partitions partitions(Handle directory) throws FsException;

    /** The server that hosts a shard; null if none does. */
    @Nullable
    String host(int shard) throws FsException;
}
