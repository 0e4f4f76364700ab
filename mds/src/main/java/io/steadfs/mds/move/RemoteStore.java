package io.steadfs.mds.move;

import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.steadfs.cluster.ShardAddresses;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.membership.ServerId;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ListStoreFilesReply;
import io.steadfs.wire.proto.ListStoreFilesRequest;
import io.steadfs.wire.proto.ReadStoreFileReply;
import io.steadfs.wire.proto.ReadStoreFileRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/** The store of a shard at the metadata server from which the shard moves to this one. Its methods wait for answers. */
public final class RemoteStore {
    /** The host may have to end a batch and to make its last changes durable before it closes a store. */
    private static final long LIST_MILLIS = 120_000;

    private static final long READ_MILLIS = 30_000;

    private final Transport transport;
    private final Supplier<ClusterMap> map;
    private final int host;
    private final StoreDoor.Move move;
    private final int partBytes;

    /**
     * @param host number of the metadata server that hosts the shard
     * @param move to this server
     * @param partBytes most bytes to ask for at a time
     */
    public RemoteStore(Transport transport, Supplier<ClusterMap> map, int host, StoreDoor.Move move, int partBytes) {
        this.transport = transport;
        this.map = map;
        this.host = host;
        this.move = move;
        this.partBytes = Math.min(partBytes, StoreDoor.MOST_BYTES);
    }

    /**
     * Lists the files of the store.
     *
     * @param last whether the host must close the store for good before
     * @throws IOException if the host does not answer, or refuses; the message names the host
     */
    public ListStoreFilesReply list(boolean last) throws IOException, InterruptedException {
        Reply reply = ask(
                Kind.LIST_STORE_FILES,
                ListStoreFilesRequest.newBuilder()
                        .setShard(move.shard())
                        .setAsker(move.asker())
                        .setMove(move.number())
                        .setLast(last)
                        .build(),
                LIST_MILLIS);
        ListStoreFilesReply list = reply.body(ListStoreFilesReply.class);
        reply.payload().release();
        return list;
    }

    /** Receives the parts of a file, in their order. */
    interface Parts {
        void take(ByteBuffer part) throws IOException;
    }

    /**
     * Reads a file of the last list.
     *
     * @throws IOException if the host does not answer or refuses, if a part is damaged, or if the file is not as it was
     *     listed; the message names the host or the file
     */
    void read(StoreFiles.Listed file, boolean last, Parts parts) throws IOException, InterruptedException {
        long at = 0;
        while (at < file.length()) {
            int length = (int) Math.min(partBytes, file.length() - at);
            Reply reply = ask(
                    Kind.READ_STORE_FILE,
                    ReadStoreFileRequest.newBuilder()
                            .setShard(move.shard())
                            .setAsker(move.asker())
                            .setMove(move.number())
                            .setLast(last)
                            .setName(file.name())
                            .setOffset(at)
                            .setLength(length)
                            .build(),
                    READ_MILLIS);
            ReadStoreFileReply body = reply.body(ReadStoreFileReply.class);
            try {
                ByteBuffer bytes = bytes(reply.payload());
                CRC32C checksum = new CRC32C();
                checksum.update(bytes.duplicate());
                if ((int) checksum.getValue() != body.getChecksum()) {
                    throw new FsException(
                            FsError.CORRUPT, file.name() + " at byte " + at + " does not match its checksum");
                }
                if (bytes.remaining() < 1 || bytes.remaining() > length) {
                    throw new IOException(file.name() + " at " + ServerId.mds(host) + " is not as it was listed: "
                            + bytes.remaining() + " bytes at byte " + at + " of " + file.length());
                }
                at += bytes.remaining();
                parts.take(bytes);
            } finally {
                reply.payload().release();
            }
        }
    }

    private static ByteBuffer bytes(Payload payload) {
        if (payload instanceof Payload.Bytes received) {
            ByteBuf buffer = received.buffer();
            return buffer.nioBuffer();
        }
        throw new IllegalStateException("a received payload is not in memory: " + payload);
    }

    private Reply ask(Kind kind, MessageLite body, long timeoutMillis) throws IOException, InterruptedException {
        ClusterMap present = map.get();
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(kind.number())
                .setEpoch(present.getEpoch())
                .setStep("move shard " + move.shard())
                .setDeadlineMillis((int) timeoutMillis)
                .build();
        CompletableFuture<Reply> sent =
                transport.send(address(present), new Request(kind, header, body, Payload.EMPTY), timeoutMillis);
        try {
            Reply reply = sent.get();
            if (!reply.isOk()) {
                reply.payload().release();
                throw new FsException(
                        reply.error(),
                        ServerId.mds(host) + " answers " + kind + ": "
                                + reply.header().getMessage());
            }
            return reply;
        } catch (InterruptedException e) {
            sent.cancel(false);
            throw e;
        } catch (ExecutionException e) {
            throw new IOException(kind + " could not be sent to " + ServerId.mds(host), e.getCause());
        }
    }

    private ServerAddress address(ClusterMap present) throws IOException {
        return present.getServersList().stream()
                .filter(each -> each.getRole() == ClusterMap.Role.MDS && each.getId() == host)
                .filter(each -> each.getPort() > 0 && !each.getHost().isEmpty())
                .map(each -> ShardAddresses.of(present, each))
                .findAny()
                .orElseThrow(() -> new IOException(
                        ServerId.mds(host) + " has no address in the cluster map of epoch " + present.getEpoch()));
    }
}
