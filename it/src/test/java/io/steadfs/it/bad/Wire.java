package io.steadfs.it.bad;

import com.google.protobuf.MessageLite;
import io.netty.buffer.Unpooled;
import io.steadfs.config.Settings;
import io.steadfs.hello.Introduction;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.util.function.UnaryOperator;

/** Sends single requests past the client and its checks. */
final class Wire implements AutoCloseable {
    static final String USER = System.getProperty("user.name");
    private static final long TIMEOUT_MILLIS = 60_000;

    private final EventLoops loops = EventLoops.open("wire", Settings.defaults());
    private final NettyTransport transport = new NettyTransport(
            loops,
            NettyOptions.from(Settings.defaults()),
            new MessageCounters(),
            new SystemClock(),
            Introduction.admin());
    private long lastRequest;

    Reply ask(
            ServerAddress server,
            Kind kind,
            UnaryOperator<RequestHeader.Builder> header,
            MessageLite body,
            byte[] payload) {
        RequestHeader.Builder common = RequestHeader.newBuilder()
                .setKind(kind.number())
                .setCaller(Caller.newBuilder().setUser(USER));
        Request request =
                new Request(kind, header.apply(common).build(), body, Payload.of(Unpooled.wrappedBuffer(payload)));
        Reply reply = transport.send(server, request, TIMEOUT_MILLIS).join();
        reply.payload().release();
        return reply;
    }

    Reply ask(ServerAddress server, Kind kind, MessageLite body) {
        return ask(server, kind, header -> header, body, new byte[0]);
    }

    /** A request with a new id of the session. */
    Reply change(ServerAddress server, long session, Kind kind, MessageLite body) {
        lastRequest++;
        long id = lastRequest;
        return ask(server, kind, header -> header.setSession(session).setRequestId(id), body, new byte[0]);
    }

    Reply openSession(ServerAddress server, long session) {
        return ask(
                server,
                Kind.OPEN_SESSION,
                header -> header.setSession(session),
                OpenSessionRequest.newBuilder()
                        .setSession(session)
                        .setClient("bad input")
                        .build(),
                new byte[0]);
    }

    @Override
    public void close() {
        transport.close();
        loops.close();
    }
}
