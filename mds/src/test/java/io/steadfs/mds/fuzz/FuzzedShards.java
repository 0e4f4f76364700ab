package io.steadfs.mds.fuzz;

import com.google.protobuf.MessageLite;
import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.cluster.HomeShard;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.hello.TestHello;
import io.steadfs.mds.testing.SimulatedShards;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Three shards with a small tree, the same each time, and a caller with a session of his own. In a request's header, session
 * 1 stands for that session, and request id 0 for the next one.
 */
final class FuzzedShards implements AutoCloseable {
    static final int COUNT = 3;
    /** Between the sessions that are opened here: so large that no input opens one of them by chance. */
    private static final long STRIDE = 0x9E37_79B9_7F4A_7C15L;

    private static final long TIMEOUT_MILLIS = 20_000;
    private static final long RENEW_AFTER_NANOS = 20_000_000_000L;

    private final SimulatedShards cluster = new SimulatedShards(COUNT, 7);
    private final Transport transport = cluster.network().client("fuzz", TestHello.peerIdentity());
    private final AsyncSteadFs fs = cluster.client("root");
    private long session;
    private long lastRequest;
    private long openedNanos;
    private String lastMessage = "";
    private int probes;

    FuzzedShards() {
        for (String directory : List.of("d", "d/e", "b")) {
            cluster.await(directory, fs.names().mkdirs(path(directory), 0777, true, true));
        }
        for (String file : List.of("f", "d/f", "d/e/f")) {
            cluster.await(
                    file,
                    cluster.await(file, fs.writes().create(path(file), options()))
                            .close());
        }
        cluster.await("open", fs.writes().create(path("open"), options()));
        openSession();
    }

    private static CreateOptions options() {
        return CreateOptions.DEFAULT.withLayout(2, 1 << 16);
    }

    private static FsPath path(String text) {
        try {
            return FsPath.parse(text);
        } catch (FsException e) {
            throw new AssertionError(e);
        }
    }

    /** Of all that is there. */
    List<Long> handles() {
        List<Long> handles = new ArrayList<>();
        new TreeSet<>(cluster.state().paths().values()).forEach(handle -> handles.add(handle.value()));
        return handles;
    }

    private void openSession() {
        do {
            session += STRIDE;
        } while (HomeShard.of(session, COUNT) != 0);
        lastRequest = 0;
        openedNanos = cluster.time().monotonicNanos();
        FsError error = ask(
                0,
                Kind.OPEN_SESSION,
                RequestHeader.newBuilder().setCaller(root()).build(),
                OpenSessionRequest.newBuilder()
                        .setSession(session)
                        .setClient("fuzz")
                        .build());
        if (error != FsError.OK) {
            throw new AssertionError("OPEN_SESSION is answered " + error + ": " + lastMessage);
        }
    }

    private static Caller root() {
        return Caller.newBuilder().setUser("root").addGroups("users").build();
    }

    /** Sends a request and waits for its answer. */
    FsError ask(int shard, Kind kind, RequestHeader asked, MessageLite body) {
        if (cluster.time().monotonicNanos() - openedNanos > RENEW_AFTER_NANOS) {
            openSession();
        }
        RequestHeader.Builder header = asked.toBuilder();
        if (asked.getSession() == 1) {
            header.setSession(session);
        }
        if (asked.getRequestId() == 0) {
            lastRequest++;
            header.setRequestId(lastRequest).setLowestUnanswered(lastRequest);
        }
        if (asked.getShard() == 0) {
            header.setShard(shard + 1);
        }
        CompletableFuture<Reply> answer = transport.send(
                SimulatedShards.address(shard), new Request(kind, header.build(), body, Payload.EMPTY), TIMEOUT_MILLIS);
        Reply reply = cluster.await(kind.toString(), answer);
        reply.payload().release();
        lastMessage = reply.header().getMessage();
        return reply.error();
    }

    String lastMessage() {
        return lastMessage;
    }

    /** Every shard makes a session and a directory as ever; what all hold is whole, where nobody lied as a shard may. */
    void checkAlive(boolean whole) {
        openSession();
        for (int shard = 0; shard < COUNT; shard++) {
            FsError error = ask(
                    shard,
                    Kind.FENCE_SESSIONS,
                    RequestHeader.getDefaultInstance(),
                    io.steadfs.wire.proto.FenceSessionsRequest.newBuilder()
                            .addSessions(1_000_000 + probes++)
                            .build());
            if (error != FsError.OK) {
                throw new AssertionError("shard " + shard + " decides nothing more: " + error + ": " + lastMessage);
            }
        }
        if (whole) {
            AsyncSteadFs other = cluster.client("root");
            cluster.await("mkdirs", other.names().mkdirs(path("new-directory-of-the-check"), 0755, true, true));
            cluster.await("close", other.close());
        }
    }

    @Override
    public void close() {
        transport.close();
    }
}
