package io.steadfs.mds.move;

import io.netty.buffer.Unpooled;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.MembershipException;
import io.steadfs.membership.ServerId;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ListStoreFilesReply;
import io.steadfs.wire.proto.ListStoreFilesRequest;
import io.steadfs.wire.proto.ReadStoreFileReply;
import io.steadfs.wire.proto.ReadStoreFileRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the metadata server to which a shard of this server moves. All other requests go on to the shards. A request
 * that cannot be is refused with INVALID_ARGUMENT, one that is not of the present move with NOT_OWNER.
 */
public final class StoreDoor implements RequestHandler, AutoCloseable {
    /** Most bytes of a file in one reply. */
    public static final int MOST_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(StoreDoor.class);

    /** Each server to which a shard moves asks for one part after the other. */
    private static final int MOST_WAITING = 64;

    private final RequestHandler shards;
    private final Stores stores;
    private final int mostBytes;
    private final Executor lists;
    private final ThreadPoolExecutor reads;

    /** A move of a shard of this server, as the other server says. */
    public record Move(int shard, int asker, int number) {
        @Override
        public String toString() {
            return "move " + number + " of shard " + shard + " to mds-" + asker;
        }
    }

    /** The stores of this server that move to other servers. */
    public interface Stores {
        /**
         * Lists the files of a store.
         *
         * @param last whether this server closes the store for good before
         * @throws FsException with NOT_OWNER, if the shard is not in this move
         * @throws IOException if the files cannot be listed now
         */
        ListStoreFilesReply list(Move move, boolean last) throws IOException;

        /**
         * The directory with the files that were listed last.
         *
         * @param last whether the store was closed before
         * @throws FsException with NOT_OWNER, if the shard is not in this move
         */
        Path directory(Move move, boolean last) throws IOException;
    }

    /**
     * @param shards takes all other requests
     * @param mostBytes most bytes of a reply's payload, at most {@link #MOST_BYTES}
     * @param lists runs what may take long, one after the other
     */
    public StoreDoor(RequestHandler shards, Stores stores, int mostBytes, Executor lists, String server) {
        this.shards = shards;
        this.stores = stores;
        this.mostBytes = Math.min(mostBytes, MOST_BYTES);
        this.lists = lists;
        this.reads =
                new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), task -> {
                    Thread made = new Thread(task, server + "-store-reads");
                    made.setDaemon(true);
                    return made;
                });
        reads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void handle(Call call) {
        Kind kind = call.request().kind();
        if (kind == Kind.LIST_STORE_FILES) {
            run(
                    call,
                    lists,
                    () -> list(call, (ListStoreFilesRequest) call.request().body()));
        } else if (kind == Kind.READ_STORE_FILE) {
            run(
                    call,
                    reads,
                    () -> read(call, (ReadStoreFileRequest) call.request().body()));
        } else {
            shards.handle(call);
        }
    }

    private interface Work {
        Reply reply() throws IOException;
    }

    private static void run(Call call, Executor executor, Work work) {
        call.request().payload().release();
        try {
            executor.execute(() -> {
                if (!call.isCancelled()) {
                    call.reply(answer(call, work));
                } else {
                    refuse(call, FsError.CANCELLED, "nobody waits for the answer any more");
                }
            });
        } catch (RejectedExecutionException e) {
            refuse(call, FsError.BUSY, "the server stops, or " + MOST_WAITING + " parts of stores are to be read");
        }
    }

    private static Reply answer(Call call, Work work) {
        Kind kind = call.request().kind();
        try {
            return work.reply();
        } catch (FsException e) {
            return Reply.refused(kind, e.error(), String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            return Reply.refused(kind, FsError.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
        } catch (MembershipException e) {
            return Reply.refused(kind, FsError.UNAVAILABLE, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            LOG.info("{} of {} is refused: {}", kind, call.peer(), e.toString());
            return Reply.refused(kind, FsError.IO_ERROR, e.toString());
        } catch (RuntimeException | Error e) {
            LOG.error("{} of {}", kind, call.peer(), e);
            return Reply.refused(kind, FsError.FAULT, "broken invariant: " + e);
        }
    }

    private static void refuse(Call call, FsError error, String why) {
        call.reply(Reply.refused(call.request().kind(), error, why));
    }

    private Reply list(Call call, ListStoreFilesRequest request) throws IOException {
        Move move = move(call, request.getShard(), request.getAsker(), request.getMove());
        return Reply.ok(stores.list(move, request.getLast()));
    }

    private Reply read(Call call, ReadStoreFileRequest request) throws IOException {
        Move move = move(call, request.getShard(), request.getAsker(), request.getMove());
        if (request.getOffset() < 0 || request.getLength() < 1) {
            throw new IllegalArgumentException(Integer.toUnsignedString(request.getLength()) + " bytes at offset "
                    + Long.toUnsignedString(request.getOffset()) + " of file '" + request.getName() + "'");
        }
        ByteBuffer bytes = StoreFiles.read(
                stores.directory(move, request.getLast()),
                request.getName(),
                request.getOffset(),
                Math.min(mostBytes, request.getLength()));
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate());
        return Reply.ok(
                ReadStoreFileReply.newBuilder()
                        .setChecksum((int) checksum.getValue())
                        .build(),
                Payload.of(Unpooled.wrappedBuffer(bytes)));
    }

    /** Checks the numbers, and that the asker is who has proven to be it. */
    private static Move move(Call call, int shard, int asker, int number) throws FsException {
        if (shard < 0 || shard >= FileSystemFormat.MAX_SHARDS) {
            throw new IllegalArgumentException("there is no shard " + Integer.toUnsignedString(shard));
        }
        if (number < 0) {
            throw new IllegalArgumentException("there is no move " + Integer.toUnsignedString(number));
        }
        ServerId server = ServerId.mds(asker);
        if (call.peerIdentity().name().role() != ClusterMap.Role.MDS
                || call.peerIdentity().name().number() != asker) {
            throw new FsException(FsError.PERMISSION_DENIED, call.peerIdentity() + " asks as " + server);
        }
        return new Move(shard, asker, number);
    }

    @Override
    public void close() {
        reads.shutdownNow();
    }
}
