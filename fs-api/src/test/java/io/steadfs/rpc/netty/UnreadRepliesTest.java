package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultFileRegion;
import io.steadfs.config.Settings;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client that sends requests and does not read what is answered. */
@Timeout(60)
class UnreadRepliesTest {
    private static final int REPLY_BYTES = 64 << 10;
    private static final String PATH = "p".repeat(16 << 10);

    /** 64 MiB, far more than sockets hold: all are sent only to a server that reads on. */
    private static final int REQUESTS = 4096;

    private static final String OTHERS = "others";

    private final AtomicInteger handled = new AtomicInteger();

    /** Payloads of the client's replies that were not sent yet, as its requests were handed over; the most of them. */
    private final AtomicInteger mostUnsent = new AtomicInteger();

    private ByteBuffer frame = ByteBuffer.allocate(0);
    private int begun;

    private RequestHandler answering(Supplier<Payload> payloads, IntSupplier unsent) {
        return call -> {
            StatRequest asked = (StatRequest) call.request().body();
            if (asked.getLocation().getPath().equals(OTHERS)) {
                call.reply(Loopback.answerTo(call));
                return;
            }
            mostUnsent.accumulateAndGet(unsent.getAsInt(), Math::max);
            handled.incrementAndGet();
            call.reply(Reply.ok(StatReply.getDefaultInstance(), payloads.get()));
        };
    }

    /** All connections have one thread, so who is answered knows that it looked at the others too. */
    private static Loopback open(RequestHandler handler, Map<String, String> settings) throws IOException {
        return new Loopback(
                handler, settings, EventLoops.open("test-rpc", Settings.of(Map.of("stead.rpc.threads", "1"))));
    }

    private static SocketChannel connect(Loopback net) throws IOException {
        SocketChannel client = SocketChannel.open();
        client.setOption(StandardSocketOptions.SO_RCVBUF, 64 << 10);
        client.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), net.address().port()));
        client.write(ByteBuffer.wrap(RawFrames.hello()));
        return client;
    }

    /** Sends what the socket takes now; whether it took anything. */
    private boolean send(SocketChannel client) {
        boolean any = false;
        try {
            while (true) {
                if (!frame.hasRemaining()) {
                    if (begun == REQUESTS) {
                        return any;
                    }
                    frame = ByteBuffer.wrap(RawFrames.request(++begun, PATH));
                }
                if (client.write(frame) == 0) {
                    return any;
                }
                any = true;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void sendUntilTheServerStands(SocketChannel client, Loopback net) throws IOException {
        client.configureBlocking(false);
        AtomicInteger still = new AtomicInteger();
        Loopback.await("the server takes nothing more", () -> {
            int before = handled.get();
            boolean sent = send(client);
            assertThat(Loopback.pathOf(net.ask(OTHERS))).isEqualTo(OTHERS);
            if (sent || handled.get() != before) {
                still.set(0);
            }
            return still.incrementAndGet() > 5;
        });
        client.configureBlocking(true);
    }

    /** Reads the replies to all requests that were begun, the one that is half sent among them. */
    private void readAll(SocketChannel client) throws IOException {
        CompletableFuture<Void> rest = CompletableFuture.runAsync(() -> {
            try {
                while (frame.hasRemaining()) {
                    client.write(frame);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        DataInputStream in = new DataInputStream(Channels.newInputStream(client));
        for (int call = 1; call <= begun; call++) {
            assertThat(RawFrames.readReply(in).getCall()).isEqualTo(call);
        }
        Loopback.get(rest);
        assertThat(handled.get()).isEqualTo(begun);
    }

    @Test
    void aServerReadsNoMoreAboveAMebibyteOfThemAndGoesOnWhenTheyAreRead() throws IOException {
        ByteBuf bytes = Unpooled.directBuffer(REPLY_BYTES).writeZero(REPLY_BYTES);
        IntSupplier unsent = () -> bytes.refCnt() - 1;
        try (Loopback net = open(answering(() -> new Payload.Bytes(bytes.retainedDuplicate()), unsent), Map.of())) {
            try (SocketChannel client = connect(net)) {
                sendUntilTheServerStands(client, net);
                assertThat(begun).as("requests begun").isLessThan(REQUESTS);
                assertThat(handled.get()).as("requests taken").isLessThan(begun);
                // Fifteen and their headers are below the mebibyte, sixteen are above it.
                assertThat(mostUnsent.get()).isEqualTo((1 << 20) / REPLY_BYTES - 1);
                assertThat(unsent.getAsInt()).isPositive();
                readAll(client);
                Loopback.await("all sent", () -> unsent.getAsInt() == 0);
            }
            bytes.release();
        }
    }

    @Test
    void aServerReadsNoMoreAboveSoManyRegionsAndGoesOnWhenTheyAreRead(@TempDir Path directory) throws IOException {
        int most = 4;
        Path file = Files.write(directory.resolve("data"), new byte[REPLY_BYTES]);
        Queue<DefaultFileRegion> regions = new ConcurrentLinkedQueue<>();
        IntSupplier unsent = () ->
                (int) regions.stream().filter(region -> region.refCnt() > 0).count();
        Supplier<Payload> payloads = () -> {
            DefaultFileRegion region = new DefaultFileRegion(file.toFile(), 0, REPLY_BYTES);
            regions.add(region);
            return new Payload.Region(region);
        };
        Map<String, String> settings = Map.of("stead.rpc.connection.inflight.requests", "" + most);
        try (Loopback net = open(answering(payloads, unsent), settings);
                SocketChannel client = connect(net)) {
            sendUntilTheServerStands(client, net);
            assertThat(begun).as("requests begun").isLessThan(REQUESTS);
            assertThat(handled.get()).as("requests taken").isLessThan(begun);
            assertThat(mostUnsent.get()).isEqualTo(most - 1);
            assertThat(unsent.getAsInt()).isEqualTo(most);
            readAll(client);
            Loopback.await("all sent", () -> unsent.getAsInt() == 0);
        }
    }
}
