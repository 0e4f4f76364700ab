package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer is stuck if it takes nothing of what is sent to it, whatever is written meanwhile. */
@Timeout(120)
class StuckPeerTest {
    private static final int REQUESTS = 1000;
    /** All numbers from here on take equally many bytes in a frame, so all replies have one size. */
    private static final int FIRST = 1000;

    private static final String MUCH = "much";

    private static final Map<String, String> SETTINGS = Map.of("stead.rpc.frame.timeout", "150");

    /** The requests that are not answered yet. Belongs to the server's event loop. */
    private final Queue<RequestHandler.Call> held = new ArrayDeque<>();

    private final AtomicInteger answered = new AtomicInteger();

    /** What to do at the first request for much; it comes after all others. Belongs to the server's event loop. */
    private Runnable atMuch = () -> {};

    /** Answers a request for much at once, and keeps the others. */
    private void hold(RequestHandler.Call call) {
        StatRequest asked = (StatRequest) call.request().body();
        if (asked.getLocation().getPath().equals(MUCH)) {
            atMuch.run();
            atMuch = () -> {};
            call.reply(Reply.ok(StatReply.getDefaultInstance(), new Payload.Bytes(Loopback.buffer(new byte[1 << 20]))));
        } else {
            held.add(call);
        }
    }

    /**
     * Answers one of the requests, and is due again before it waits a millisecond. A timer of the connection that falls
     * due in this time runs behind the next answer, and before the flush of that answer.
     */
    private void answerOneByOne(Loopback net, LentLoop loop) {
        RequestHandler.Call call = held.poll();
        if (call == null || net.server.connections() == 0) {
            return;
        }
        call.reply(Loopback.answerTo(call));
        answered.incrementAndGet();
        var unused = loop.schedule(() -> answerOneByOne(net, loop), 0, TimeUnit.NANOSECONDS);
        LockSupport.parkNanos(1_000_000);
    }

    /** The server has one thread, so its connection has that thread. */
    private Loopback open() throws IOException {
        return new Loopback(
                this::hold, SETTINGS, EventLoops.open("test-rpc", Settings.of(Map.of("stead.rpc.threads", "1"))));
    }

    /** Says HELLO, sends so many requests that are held, and then some that are answered with much. */
    private static Socket connect(Loopback net, int much) throws IOException {
        Socket client = new Socket();
        client.setReceiveBufferSize(64 << 10);
        client.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), net.address().port()));
        client.setSoTimeout(30_000);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(RawFrames.hello());
        for (int i = 0; i < REQUESTS + much; i++) {
            all.write(RawFrames.request(FIRST + i, i < REQUESTS ? "held" : MUCH));
        }
        client.getOutputStream().write(all.toByteArray());
        return client;
    }

    private int heldNow(LentLoop loop) {
        return Loopback.get(CompletableFuture.supplyAsync(held::size, loop));
    }

    @Test
    void whoTakesAllRepliesIsNotStuckThoughOneOfTheSameSizeIsUnsentAtEachCheck() throws IOException {
        try (Loopback net = open();
                Socket client = connect(net, 0)) {
            LentLoop loop = net.loops.next();
            Loopback.await("all are held", () -> heldNow(loop) == REQUESTS);
            loop.execute(() -> answerOneByOne(net, loop));
            DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(RawFrames.readReply(in).getCall()).isEqualTo(FIRST + i);
            }
            assertThat(net.server.connections()).isEqualTo(1);
        }
    }

    @Test
    void whoTakesNothingIsStuckThoughRepliesAreAddedBetweenTheChecks() throws IOException {
        // The server reads no further at a mebibyte of unsent replies. By then the socket is full.
        try (Loopback net = open()) {
            LentLoop loop = net.loops.next();
            Loopback.get(CompletableFuture.runAsync(
                    () -> atMuch = () -> loop.execute(() -> answerOneByOne(net, loop)), loop));
            try (Socket client = connect(net, 20)) {
                Loopback.await("answers begin", () -> answered.get() > 0);
                Loopback.await("it is closed", () -> net.server.connections() == 0);
                assertThat(answered.get()).isLessThan(REQUESTS);
                assertThat(client.isClosed()).isFalse();
            }
        }
    }

    /** Of a call that was given up, one large message is half sent, and the server takes it slowly. */
    @Test
    void aClientKeepsAnIdleConnectionWhileTheServerTakesBytesOfOneMessage() throws IOException {
        int bytes = 16 << 20;
        Map<String, String> settings = Map.of("stead.rpc.client.idle", "1000");
        AtomicLong taken = new AtomicLong();
        try (Loopback net = new Loopback(Loopback::echo, settings);
                ServerSocket listening = new ServerSocket()) {
            listening.setReceiveBufferSize(64 << 10);
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            CompletableFuture<Void> end = CompletableFuture.runAsync(() -> takeSlowly(listening, bytes, taken));
            CompletableFuture<Reply> call = net.transport.send(
                    new ServerAddress("127.0.0.1", listening.getLocalPort()),
                    Loopback.stat("large", new Payload.Bytes(Loopback.buffer(new byte[bytes]))),
                    20_000);
            Loopback.await("it is sent in part", () -> taken.get() > 0);
            call.cancel(false);
            Loopback.get(end);
            assertThat(taken.get()).isGreaterThanOrEqualTo(bytes);
        }
    }

    /** Answers HELLO and reads about 4 MB a second, until so many bytes have come or the stream ends. */
    private static void takeSlowly(ServerSocket listening, int bytes, AtomicLong taken) {
        try (Socket socket = listening.accept()) {
            InputStream in = socket.getInputStream();
            socket.getOutputStream().write(RawFrames.answerTo(RawFrames.readHello(new DataInputStream(in))));
            byte[] part = new byte[32 << 10];
            int read = 0;
            while (read >= 0 && taken.get() < bytes) {
                taken.addAndGet(read);
                LockSupport.parkNanos(8_000_000);
                read = in.read(part);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
