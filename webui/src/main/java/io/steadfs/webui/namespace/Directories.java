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
     * @param firstHash lowest hash of the names, 16 hexadecimal digits
     * @param lastHash highest hash of the names, 16 hexadecimal digits
     * @param shard number of the shard that stores the partition
     * @param server name of the server that hosts the shard; null if no server hosts the shard
     * @param entries number of names in the partition
     * @param namesPerSecond names made in a second, over about the last 10 seconds; null if the shard does not answer
     * @param state {@link #STEADY}, {@link #SPLITS}, {@link #MOVES}, {@link #ENDS} or {@link #GETS}
     * @param other while names move: number of the other partition; null otherwise
     * @param since while names move: when that began, in milliseconds since 1970; null if unknown
     * @param countedWith number of the partition with which the names are counted; null if that is this one
     */
    record Partition(
            int number,
            int depth,
            String firstHash,
            String lastHash,
            int shard,
            @Nullable String server,
            long entries,
            @Nullable Double namesPerSecond,
            String state,
            @Nullable Integer other,
            @Nullable Long since,
            @Nullable Integer countedWith) {
        /** No names move. */
        public static final String STEADY = "steady";
        /** The partition gives the upper half of its range to a new partition. */
        public static final String SPLITS = "splits";
        /** The partition goes to another shard. */
        public static final String MOVES = "moves";
        /** The partition gives all names to the other partition, and ends. */
        public static final String ENDS = "ends";
        /** The partition gets the names of the other partition, which ends. */
        public static final String GETS = "gets";
    }

    /**
     * The partitions of a directory.
     *
     * @param problems why there are no partitions
     */
    record Partitions(List<Partition> partitions, List<String> problems) {}

    /** The partitions of a directory, in the order of their hashes. */
    Partitions partitions(FsPath path) throws FsException;

    /**
     * A directory in which names are made.
     *
     * @param path null if the path is not known
     * @param namesPerSecond names made in a second, over about the last 10 seconds
     * @param partitions number of partitions in which names are made
     * @param shards shards of these partitions
     * @param entries number of names in these partitions
     * @param most rate of the partition with the highest rate
     */
    record HotDirectory(
            String handle,
            @Nullable String path,
            double namesPerSecond,
            int partitions,
            List<Integer> shards,
            long entries,
            double most) {}

    /**
     * A split or a merge that is under way.
     *
     * @param handle handle of the directory
     * @param path null if the path is not known
     * @param kind "split", "merge", "move" or "halve"
     * @param source number of the partition that gives names
     * @param entries number of names of the source
     * @param target number of the partition that gets the names
     * @param targetShard null if the shard of the source does not know the shard of the target
     * @param firstHash lowest hash of the names that are given, 16 hexadecimal digits
     * @param lastHash highest hash of these names, 16 hexadecimal digits
     * @param since milliseconds since 1970; null if it began before the shard's last start
     */
    record HandOver(
            String handle,
            @Nullable String path,
            String kind,
            int source,
            int sourceShard,
            @Nullable String server,
            long entries,
            int target,
            @Nullable Integer targetShard,
            String firstHash,
            String lastHash,
            @Nullable Long since) {}

    /**
     * What happens in the partitions of all shards.
     *
     * @param problems one line for each shard that did not answer
     */
    record Activity(List<HotDirectory> directories, List<HandOver> handOvers, List<String> problems) {}

    /**
     * The directories in which most names are made, and all splits and merges that are under way.
     *
     * @param most largest number of directories
     */
    Activity activity(int most) throws FsException;

    /** The name of the server that hosts a shard; null if no server hosts the shard. */
    @Nullable
    String host(int shard) throws FsException;
}
