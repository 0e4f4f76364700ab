package io.steadfs.webui.namespace;

import com.google.protobuf.ByteString;
import io.steadfs.client.SteadFs;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.ClusterMap;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reads the directories of a real cluster. */
public final class LiveDirectories implements Directories {
    private final SteadFs fs;

    public LiveDirectories(SteadFs fs) {
        this.fs = fs;
    }

    @Override
    public FileInfo info(FsPath path) throws FsException {
        return fs.stat(path);
    }

    @Override
    public ListPage list(FsPath path, ByteString cursor, int limit) throws FsException {
        return fs.list(path, cursor, limit);
    }

    @Override
    public @Nullable String host(int shard) throws FsException {
        return host(fs.knownClusterMap(), shard);
    }

    private static @Nullable String host(ClusterMap map, int shard) {
        OptionalInt host = ShardAddresses.host(map, shard);
        return host.isPresent() ? "mds-" + host.getAsInt() : null;
    }

    @Override
    public Partitions partitions(FsPath path) throws FsException {
        ClusterMap map = fs.knownClusterMap();
        try {
            return new Partitions(
                    fs.partitions(path).stream()
                            .map(each -> new Partition(
                                    each.number(), each.depth(), each.shard(), host(map, each.shard()), each.entries()))
                            .toList(),
                    List.of());
        } catch (FsException e) {
            return new Partitions(List.of(), List.of(String.valueOf(e.getMessage())));
        }
    }
}
