package io.steadfs.admin;

import com.google.protobuf.ByteString;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.cluster.ShardCounts;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.rpc.DirectQuestion;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ListOpenFilesReply;
import io.steadfs.wire.proto.ListOpenFilesRequest;
import io.steadfs.wire.proto.OpenFile;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayList;
import java.util.List;

/** Asks shards which of their files are open for writing. */
public final class OpenFileLists {
    private final Transport transport;
    private final ClusterMap map;
    private final long timeoutMillis;

    public OpenFileLists(Transport transport, ClusterMap map, long timeoutMillis) {
        this.transport = transport;
        this.map = map;
        this.timeoutMillis = timeoutMillis;
    }

    /** The number of shards. */
    public int shards() {
        return ShardCounts.of(map).all();
    }

    /** All open files of the shard. @throws FsException naming the shard if it does not answer */
    public List<OpenFile> of(int shard) throws FsException {
        List<OpenFile> files = new ArrayList<>();
        ByteString cursor = ByteString.EMPTY;
        do {
            ListOpenFilesReply page = page(shard, cursor, 0);
            files.addAll(page.getFilesList());
            cursor = page.getNext();
        } while (!cursor.isEmpty());
        return files;
    }

    /**
     * One page of the shard's open files. Even an empty page may have a next page.
     *
     * @param cursor the next cursor of the previous page; empty = from the beginning
     * @param limit the most files in the page; 0 = as many as fit into one reply
     * @throws FsException naming the shard if it does not answer; INVALID_ARGUMENT if the cursor is from before the
     *     shard's last start
     */
    public ListOpenFilesReply page(int shard, ByteString cursor, int limit) throws FsException {
        ServerAddress address = ShardAddresses.find(map, shard)
                .orElseThrow(() -> new FsException(FsError.UNREACHABLE, "shard " + shard + " is on no server"));
        return DirectQuestion.begin(
                        transport,
                        "shard " + shard,
                        address,
                        Kind.LIST_OPEN_FILES,
                        RequestHeader.newBuilder().setStep("open files").setShard(shard + 1),
                        ListOpenFilesRequest.newBuilder()
                                .setCursor(cursor)
                                .setLimit(limit)
                                .build(),
                        ListOpenFilesReply.class,
                        timeoutMillis)
                .await();
    }
}
