package io.steadfs.mds.testing;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.util.concurrent.CompletableFuture;

/** A client of one session that sends one request after the other and repeats it, under its id, until it is answered. */
public final class SimulatedClient {
    private static final long TIMEOUT_MILLIS = 500;
    private static final int TRIES = 200;

    private final SimulatedTime time;
    private final Transport transport;
    private final ServerAddress server;
    private final long session;
    private final String user;
    private long lastRequest;

    public SimulatedClient(SimulatedTime time, MemoryNetwork network, ServerAddress server, long session, String user) {
        this.time = time;
        this.transport = network.client("client-" + session);
        this.server = server;
        this.session = session;
        this.user = user;
    }

    public Reply open() {
        return call(
                Kind.OPEN_SESSION,
                OpenSessionRequest.newBuilder()
                        .setSession(session)
                        .setClient("test")
                        .build());
    }

    /** Until an answer that is none of the transport's and asks for no retry. */
    public Reply call(Kind kind, MessageLite body) {
        long id = kind.target() == Kind.Target.MDS_RECORDED ? ++lastRequest : 0;
        return repeat(kind, body, id);
    }

    /** The last recorded request again. */
    public Reply again(Kind kind, MessageLite body) {
        return repeat(kind, body, lastRequest);
    }

    private Reply repeat(Kind kind, MessageLite body, long id) {
        Reply reply = Reply.refused(kind, FsError.TIMED_OUT, "not sent");
        for (int i = 0; i < TRIES && reply.error().resolver() == Resolver.RETRY; i++) {
            if (i > 0) {
                time.runFor(100);
            }
            CompletableFuture<Reply> future = send(kind, body, id);
            time.runUntil(kind + " is answered", future::isDone, 2 * TIMEOUT_MILLIS);
            reply = future.join();
        }
        if (reply.error().resolver() == Resolver.RETRY) {
            throw new AssertionError(kind + " is not answered after " + TRIES + " tries: " + reply.header());
        }
        return reply;
    }

    /** One try. */
    public CompletableFuture<Reply> send(Kind kind, MessageLite body, long id) {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(kind.number())
                .setSession(session)
                .setRequestId(id)
                .setLowestUnanswered(id)
                .setCaller(Caller.newBuilder().setUser(user).addGroups("users"))
                .build();
        return transport.send(server, new Request(kind, header, body, Payload.EMPTY), TIMEOUT_MILLIS);
    }
}
