package io.steadfs.rpc.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.LeakPresenceDetector;
import io.steadfs.config.Settings;
import io.steadfs.hello.TestHello;
import io.steadfs.hello.Welcome;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.time.Clock;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A server and a transport on loopback. Closing it fails if any buffer was not released. While others are open, their event
 * loops may still have buffers, so the last one that is closed looks.
 */
final class Loopback implements AutoCloseable {
    private static final AtomicInteger OPEN = new AtomicInteger();

    static final Map<String, String> QUICK_STOP = Map.of("stead.rpc.stop.timeout", "0");

    static final Welcome WELCOME = TestHello.welcome(TestHello.mds(1));

    final Clock clock;
    final MessageCounters serverCounters = MessageCounters.keeping(Settings.defaults());
    final MessageCounters clientCounters = MessageCounters.keeping(Settings.defaults());
    final EventLoops loops;
    final NettyOptions options;
    final NettyServer server;
    final NettyTransport transport;

    Loopback(RequestHandler handler) throws IOException {
        this(handler, Map.of());
    }

    Loopback(RequestHandler handler, Map<String, String> settings) throws IOException {
        this(handler, settings, new SystemClock());
    }

    /** @param clock tells server and client when a time-out has passed */
    Loopback(RequestHandler handler, Map<String, String> settings, Clock clock) throws IOException {
        this(handler, settings, clock, EventLoops.open("test-rpc", Settings.of(Map.of("stead.rpc.threads", "2"))));
    }

    Loopback(RequestHandler handler, Map<String, String> settings, EventLoops loops) throws IOException {
        this(handler, settings, new SystemClock(), loops);
    }

    Loopback(RequestHandler handler, Map<String, String> settings, Clock clock, EventLoops loops) throws IOException {
        this.clock = clock;
        this.loops = loops;
        options = NettyOptions.from(Settings.of(settings));
        server = NettyServer.listen(loops, "127.0.0.1", 0, options, handler, serverCounters, clock, WELCOME);
        transport = new NettyTransport(loops, options, clientCounters, clock);
        OPEN.incrementAndGet();
    }

    ServerAddress address() {
        return server.address();
    }

    static Request stat(String path) {
        return stat(path, Payload.EMPTY);
    }

    static Request stat(String path, Payload payload) {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(Kind.STAT.number())
                .setStep("test")
                .build();
        StatRequest body = StatRequest.newBuilder()
                .setLocation(Location.newBuilder().setPath(path))
                .build();
        return new Request(Kind.STAT, header, body, payload);
    }

    /** A handler's answer that tells which path was asked for. */
    static Reply answerTo(RequestHandler.Call call) {
        StatRequest asked = (StatRequest) call.request().body();
        return Reply.ok(StatReply.newBuilder()
                .setAttributes(
                        Attributes.newBuilder().setOwner(asked.getLocation().getPath()))
                .build());
    }

    static void echo(RequestHandler.Call call) {
        Reply answer = answerTo(call);
        call.reply(new Reply(
                answer.error(), answer.header(), answer.body(), call.request().payload()));
    }

    static String pathOf(Reply reply) {
        return ((StatReply) reply.body()).getAttributes().getOwner();
    }

    static ByteBuf buffer(byte[] bytes) {
        return ByteBufAllocator.DEFAULT.buffer(bytes.length).writeBytes(bytes);
    }

    /** The payload's bytes; releases it. */
    static byte[] take(Payload payload) {
        ByteBuf buffer = ((Payload.Bytes) payload).buffer();
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readerIndex(), bytes);
        payload.release();
        return bytes;
    }

    CompletableFuture<Reply> send(Request request) {
        return transport.send(address(), request, 20_000);
    }

    Reply ask(String path) {
        return get(send(stat(path)));
    }

    /** Waits for it, at most 20 seconds. */
    static <T> T get(CompletableFuture<T> future) {
        return future.copy().orTimeout(20, TimeUnit.SECONDS).join();
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within 20 s: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        boolean isLast = OPEN.decrementAndGet() == 0;
        transport.close();
        server.close();
        loops.close();
        if (isLast) {
            LeakPresenceDetector.check();
        }
    }
}
