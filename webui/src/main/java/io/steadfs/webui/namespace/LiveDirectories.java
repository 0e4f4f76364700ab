package io.steadfs.webui.namespace;

import com.google.protobuf.ByteString;
import io.steadfs.client.SteadFs;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.DirectQuestion;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.CheckedPartition;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.ScanPartitionsReply;
import io.steadfs.wire.proto.ScanPartitionsRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reads the directories of a real cluster. */
public final class LiveDirectories implements Directories {
    private static final long TIMEOUT_MILLIS = 2_000;
    /** The largest number of partitions of one directory at one shard. */
    private static final int MOST_PARTITIONS = 1_000;

    private final Transport transport;
    private final SteadFs fs;
    private final Caller caller;

    public LiveDirectories(Transport transport, SteadFs fs, Caller caller) {
        this.transport = transport;
        this.fs = fs;
        this.caller = caller;
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

    private record Asked(int shard, DirectQuestion.Begun<ScanPartitionsReply> question) {}

    @Override
    public Partitions partitions(Handle directory) throws FsException {
        ClusterMap map = fs.clusterMap();
        // The key of a partition begins with the handle of its directory. So the partitions of a directory follow
        // directly after the directory's bare handle.
        ScanPartitionsRequest request = ScanPartitionsRequest.newBuilder()
                .setAfter(ByteString.copyFrom(ByteBuffer.allocate(Long.BYTES)
                        .putLong(directory.value())
                        .flip()))
                .setLimit(MOST_PARTITIONS)
                .setUncounted(true)
                .build();
        List<Asked> asked = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (int shard = 0; shard < map.getShardCount(); shard++) {
            Optional<ServerAddress> address = ShardAddresses.find(map, shard);
            if (address.isEmpty()) {
                problems.add("shard " + shard + " is on no server");
                continue;
            }
            RequestHeader.Builder header = RequestHeader.newBuilder()
                    .setStep("partitions")
                    .setShard(shard + 1)
                    .setEpoch(map.getEpoch())
                    .setCaller(caller);
            asked.add(new Asked(
                    shard,
                    DirectQuestion.begin(
                            transport,
                            "shard " + shard,
                            address.get(),
                            Kind.SCAN_PARTITIONS,
                            header,
                            request,
                            ScanPartitionsReply.class,
                            TIMEOUT_MILLIS)));
        }
        List<Partition> found = new ArrayList<>();
        for (Asked each : asked) {
            try {
                for (CheckedPartition row : each.question().await().getPartitionsList()) {
                    if (row.getDirectory() == directory.value()) {
                        found.add(new Partition(
                                row.getPartition(),
                                each.shard(),
                                host(map, each.shard()),
                                row.getUnreadable().isEmpty() ? row.getEntries() : null));
                    }
                }
            } catch (FsException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        found.sort(Comparator.comparingInt(Partition::number));
        return new Partitions(List.copyOf(found), List.copyOf(problems));
    }
}
