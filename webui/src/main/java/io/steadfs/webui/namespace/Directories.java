package io.steadfs.webui.namespace;

import com.google.protobuf.ByteString;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the directories of a file system with the rights of the superuser. Thread-safe. */
public interface Directories {
    /** @throws FsException if the request fails; NOT_FOUND if the path does not exist */
    FileInfo info(FsPath path) throws FsException;

    /**
     * Returns a page of the entries of a directory.
     *
     * @param cursor cursor that the previous page returned; empty = from the beginning
     * @param limit largest number of entries
     */
    ListPage list(FsPath path, ByteString cursor, int limit) throws FsException;

    /**
     * A partition of the names in a directory.
     *
     * @param depth number of splits that led to the partition's range of hashes
     * @param shard number of the shard that stores the partition
     * @param server name of the server that hosts the shard; null if no server hosts the shard
     * @param entries number of names in the partition
     */
    record Partition(
            int number, int depth, int shard, @Nullable String server, long entries) {}

    /**
     * The partitions of a directory.
     *
     * @param problems why there are no partitions
     */
    record Partitions(List<Partition> partitions, List<String> problems) {}

    /** The partitions of a directory, in the order of their hashes. */
    Partitions partitions(FsPath path) throws FsException;

    /** The name of the server that hosts a shard; null if no server hosts the shard. */
    @Nullable
    String host(int shard) throws FsException;
}
