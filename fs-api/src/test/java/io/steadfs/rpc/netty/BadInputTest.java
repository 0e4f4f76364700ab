package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.RequestHeader;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad bytes on a live port: the sender gets an answer where one is possible, everybody else is served as before. */
@Timeout(60)
class BadInputTest {
    private static final Map<String, String> SETTINGS =
            Map.of("stead.rpc.frame.timeout", "200", "stead.rpc.max.payload", "1m", "stead.rpc.max.body", "256k");

    private enum After {
        /** The connection is closed. */
        CLOSED,
        /** The same connection goes on. */
        OPEN
    }

    static Stream<Arguments> badInputs() {
        byte[] good = RawFrames.request(7, "a");
        int bodyLength = ByteBuffer.wrap(good).getInt(12);
        return Stream.of(
                row("wrong magic", with(good, 0, 'X'), FsError.BAD_MESSAGE, 0, "0x58544446", After.CLOSED),
                row(
                        "another protocol",
                        "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                        FsError.BAD_MESSAGE,
                        0,
                        "0x47455420",
                        After.CLOSED),
                row(
                        "short and no frame",
                        new byte[] {1, 2, 3, 4, 5},
                        FsError.BAD_MESSAGE,
                        0,
                        "0x01020304",
                        After.CLOSED),
                row("version 0", with(good, 4, 0), FsError.UNSUPPORTED_VERSION, 0, "version 0", After.CLOSED),
                row("version 1", with(good, 4, 1), FsError.UNSUPPORTED_VERSION, 0, "version 1", After.CLOSED),
                row("version 255", with(good, 4, 255), FsError.UNSUPPORTED_VERSION, 0, "version 255", After.CLOSED),
                row("unknown frame type", with(good, 5, 9), FsError.BAD_MESSAGE, 0, "frame type 9", After.CLOSED),
                row("a reply", with(good, 5, 2), FsError.BAD_MESSAGE, 0, "reply", After.CLOSED),
                row("a HELLO too many", RawFrames.hello(), FsError.BAD_MESSAGE, 0, "HELLO", After.CLOSED),
                row("reserved bytes", with(good, 7, 1), FsError.BAD_MESSAGE, 0, "reserved", After.CLOSED),
                row("header too long", length(good, 8, 65_537), FsError.BAD_MESSAGE, 0, "65537", After.CLOSED),
                row("header of 4 GiB", length(good, 8, -1), FsError.BAD_MESSAGE, 0, "4294967295", After.CLOSED),
                row("body too long", length(good, 12, (256 << 10) + 1), FsError.BAD_MESSAGE, 7, "262145", After.CLOSED),
                row("body of 4 GiB", length(good, 12, -1), FsError.BAD_MESSAGE, 7, "4294967295", After.CLOSED),
                row(
                        "payload too long",
                        length(good, 16, (1 << 20) + 1),
                        FsError.BAD_MESSAGE,
                        7,
                        "1048577",
                        After.CLOSED),
                row(
                        "payload of 2 GiB",
                        length(good, 16, Integer.MIN_VALUE),
                        FsError.BAD_MESSAGE,
                        7,
                        "2147483648",
                        After.CLOSED),
                row("half a prefix", Arrays.copyOf(good, 11), FsError.BAD_MESSAGE, 0, "200 ms", After.CLOSED),
                row("one byte", Arrays.copyOf(good, 1), FsError.BAD_MESSAGE, 0, "200 ms", After.CLOSED),
                row("half a header", Arrays.copyOf(good, 25), FsError.BAD_MESSAGE, 0, "200 ms", After.CLOSED),
                row("half a payload", length(good, 16, 1000), FsError.BAD_MESSAGE, 0, "200 ms", After.CLOSED),
                row("header that is no protobuf", with(good, 20, 0xff), FsError.BAD_MESSAGE, 0, "header", After.CLOSED),
                row("call number 0", RawFrames.request(0, "a"), FsError.BAD_MESSAGE, 0, "call number 0", After.CLOSED),
                row("unknown kind", ofKind(99), FsError.UNKNOWN_KIND, 7, "kind 99", After.OPEN),
                row("kind of 4 billion", ofKind(-1), FsError.UNKNOWN_KIND, 7, "kind 4294967295", After.OPEN),
                row(
                        "body that is no protobuf",
                        with(good, good.length - bodyLength, 0xff),
                        FsError.BAD_MESSAGE,
                        7,
                        "STAT",
                        After.OPEN),
                row("truncated body", shortened(good), FsError.BAD_MESSAGE, 7, "STAT", After.OPEN));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badInputs")
    void theSenderIsAnsweredAndTheServerUnharmed(
            String name, byte[] bad, FsError error, long call, String words, After after) throws IOException {
        try (Loopback net = new Loopback(Loopback::echo, SETTINGS)) {
            try (Socket socket = connect(net)) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                socket.getOutputStream().write(bad);
                ReplyHeader answer = RawFrames.readReply(in);
                assertThat(FsError.byCode(answer.getError())).contains(error);
                assertThat(answer.getMessage()).contains(words);
                assertThat(answer.getCall()).isEqualTo(call);
                if (after == After.CLOSED) {
                    assertThat(in.read()).isEqualTo(-1);
                } else {
                    socket.getOutputStream().write(RawFrames.request(8, "good"));
                    assertThat(RawFrames.readReply(in))
                            .isEqualTo(ReplyHeader.newBuilder().setCall(8).build());
                }
            }
            assertThat(Loopback.pathOf(net.ask("good"))).isEqualTo("good");
            Loopback.await("only the good connection is left", () -> net.server.connections() == 1);
        }
    }

    @Test
    void halfFramesThatEndAreForgotten() throws IOException {
        byte[] good = length(RawFrames.request(7, "a"), 16, 500_000);
        byte[] withPayload = Arrays.copyOf(good, good.length + 400_000);
        try (Loopback net = new Loopback(Loopback::echo, SETTINGS)) {
            for (int length : new int[] {
                0, 1, 4, 19, 20, 21, good.length - 1, good.length, good.length + 70_000, withPayload.length
            }) {
                try (Socket socket = connect(net)) {
                    socket.getOutputStream().write(withPayload, 0, length);
                }
            }
            assertThat(Loopback.pathOf(net.ask("good"))).isEqualTo("good");
            Loopback.await("only the good connection is left", () -> net.server.connections() == 1);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomBytesHarmNobody(long seed) throws IOException {
        Random random = new Random(seed);
        try (Loopback net = new Loopback(Loopback::echo, SETTINGS)) {
            for (int i = 0; i < 25; i++) {
                byte[] bytes = random.nextBoolean() ? noise(random) : mutated(random);
                try (Socket socket = connect(net)) {
                    socket.getOutputStream().write(bytes);
                    socket.shutdownOutput();
                    drain(socket.getInputStream());
                }
            }
            assertThat(Loopback.pathOf(net.ask("good"))).as("seed %d", seed).isEqualTo("good");
            Loopback.await("only the good connection is left", () -> net.server.connections() == 1);
        }
    }

    private static byte[] noise(Random random) {
        byte[] bytes = new byte[random.nextInt(100_000)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Good frames with a few bytes changed. */
    private static byte[] mutated(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 1; i <= 20; i++) {
            byte[] frame = RawFrames.request(i, "path".repeat(random.nextInt(20)));
            if (random.nextInt(5) == 0) {
                frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
            }
            out.writeBytes(frame);
        }
        return out.toByteArray();
    }

    /** Reads until the server closes; a reset is a way of closing too. */
    private static void drain(InputStream in) {
        byte[] buffer = new byte[4096];
        int count = 0;
        while (count >= 0) {
            try {
                count = in.read(buffer);
            } catch (EOFException e) {
                count = -1;
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("reset");
                count = -1;
            }
        }
    }

    @Test
    void manyGoodFramesInSmallPieces() throws IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (int i = 1; i <= 50; i++) {
            frames.writeBytes(RawFrames.request(i, "path " + i));
        }
        byte[] bytes = frames.toByteArray();
        try (Loopback net = new Loopback(Loopback::echo);
                Socket socket = connect(net)) {
            socket.setTcpNoDelay(true);
            for (int i = 0; i < bytes.length; i += 7) {
                socket.getOutputStream().write(bytes, i, Math.min(7, bytes.length - i));
            }
            DataInputStream in = new DataInputStream(socket.getInputStream());
            for (int i = 1; i <= 50; i++) {
                assertThat(RawFrames.readReply(in).getCall()).isEqualTo(i);
            }
        }
    }

    @Test
    void theSameCallNumberTwiceAtATime() throws IOException {
        try (Loopback net = new Loopback(call -> {}, SETTINGS)) {
            try (Socket socket = connect(net)) {
                socket.getOutputStream().write(RawFrames.request(5, "a"));
                socket.getOutputStream().write(RawFrames.request(5, "b"));
                ReplyHeader answer = RawFrames.readReply(new DataInputStream(socket.getInputStream()));
                assertThat(FsError.byCode(answer.getError())).contains(FsError.BAD_MESSAGE);
                assertThat(answer.getMessage()).contains("call number 5");
            }
        }
    }

    @Test
    void connectionsAboveTheBoundAreClosed() throws IOException {
        try (Loopback net = new Loopback(Loopback::echo, Map.of("stead.rpc.connections.max", "2"))) {
            try (Socket first = connect(net);
                    Socket second = connect(net)) {
                // A client counts when its HELLO is heard, and the server's threads may hear a later one first.
                RawFrames.readHello(new DataInputStream(first.getInputStream()));
                RawFrames.readHello(new DataInputStream(second.getInputStream()));
                assertThat(net.server.connections()).isEqualTo(2);
                try (Socket third = connect(net)) {
                    DataInputStream in = new DataInputStream(third.getInputStream());
                    ReplyHeader answer = RawFrames.readReply(in);
                    assertThat(FsError.byCode(answer.getError())).contains(FsError.BUSY);
                    assertThat(answer.getMessage()).contains("2 connections", "stead.rpc.connections.max is 2");
                    assertThat(in.read()).isEqualTo(-1);
                }
                Loopback.await("the third is gone", () -> net.server.connections() == 2);
                Reply busy = net.ask("one too many");
                assertThat(busy.error()).isEqualTo(FsError.BUSY);
                assertThat(busy.header().getMessage()).contains(net.address() + ": 2 connections");
                Loopback.await("that is gone too", () -> net.server.connections() == 2);
                assertThat(net.serverCounters.load().gauges()).containsEntry("connections.open", 2L);
                assertThat(net.serverCounters.snapshot()).containsEntry("connections.refused", 2L);
                assertThat(first.isConnected() && second.isConnected()).isTrue();
            }
            Loopback.await("room again", () -> net.server.connections() == 0);
            assertThat(net.serverCounters.load().gauges()).containsEntry("connections.open", 0L);
            // After the refusal the client waits for a moment.
            Loopback.await("served again", () -> net.ask("good").isOk());
        }
    }

    /** What a client makes of servers that do not speak as it does. */
    static Stream<Arguments> badAnswers() {
        ReplyHeader said = ReplyHeader.newBuilder()
                .setError(FsError.UNSUPPORTED_VERSION.code())
                .setMessage("version 1 is spoken here")
                .build();
        byte[] reply = RawFrames.bytes(
                FrameEncoder.reply(UnpooledByteBufAllocator.DEFAULT, 0, said, ReplyHeader.getDefaultInstance(), 0));
        return Stream.of(
                Arguments.of("version, told in ours", reply, FsError.UNSUPPORTED_VERSION, "version 1 is spoken here"),
                Arguments.of(
                        "version, told in theirs",
                        with(reply, 4, 1),
                        FsError.UNSUPPORTED_VERSION,
                        "version 1 is spoken here"),
                Arguments.of(
                        "another protocol",
                        "HTTP/1.1 400 Bad Request\r\n".getBytes(StandardCharsets.US_ASCII),
                        FsError.NOT_STEADFS,
                        "'HTTP/1.1 400 Bad Request'"),
                Arguments.of("TLS", new byte[] {0x15, 3, 1, 0, 2, 2, 70}, FsError.NOT_STEADFS, "a TLS alert"),
                Arguments.of("garbage", new byte[] {'S', 1, 2, 3, 4, 5}, FsError.NOT_STEADFS, "0x530102030405"),
                Arguments.of("reply too long", length(reply, 16, -1), FsError.CONNECTION_LOST, "4294967295"),
                Arguments.of("a request", RawFrames.request(1, "a"), FsError.CONNECTION_LOST, "REQUEST"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badAnswers")
    void aClientIsNotHarmedByBadAnswersToHello(String name, byte[] bytes, FsError error, String words)
            throws Exception {
        aClientIsNotHarmed(false, bytes, error, words);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badAnswers")
    void aClientIsNotHarmedByBadAnswers(String name, byte[] bytes, FsError error, String words) throws Exception {
        aClientIsNotHarmed(true, bytes, error, words);
    }

    private static void aClientIsNotHarmed(boolean afterHello, byte[] bytes, FsError error, String words)
            throws Exception {
        try (Loopback net = new Loopback(Loopback::echo, SETTINGS);
                ServerSocket strange = new ServerSocket()) {
            strange.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            CompletableFuture<Reply> future = net.transport.send(
                    new ServerAddress("127.0.0.1", strange.getLocalPort()), Loopback.stat("a"), 20_000);
            try (Socket socket = strange.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                if (afterHello) {
                    socket.getOutputStream().write(RawFrames.answerTo(RawFrames.readHello(in)));
                }
                in.readFully(new byte[20]);
                socket.getOutputStream().write(bytes);
                Reply answer = Loopback.get(future);
                // Before the answer to HELLO no request is sent.
                boolean unsent = !afterHello && error == FsError.CONNECTION_LOST;
                // Who answered HELLO speaks as we do; then it is the connection that is spoilt.
                boolean spoilt = afterHello && error == FsError.NOT_STEADFS;
                FsError expected = unsent ? FsError.UNREACHABLE : spoilt ? FsError.CONNECTION_LOST : error;
                assertThat(answer.error()).isEqualTo(expected);
                assertThat(answer.header().getMessage()).contains(spoilt ? "does not begin a SteadFS frame" : words);
            }
            assertThat(Loopback.pathOf(net.ask("good"))).isEqualTo("good");
        }
    }

    private static Socket connect(Loopback net) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), net.address().port());
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(RawFrames.hello());
        return socket;
    }

    private static Arguments row(String name, byte[] bytes, FsError error, long call, String words, After after) {
        return Arguments.of(name, bytes, error, call, words, after);
    }

    private static byte[] with(byte[] frame, int index, int value) {
        byte[] changed = frame.clone();
        changed[index] = (byte) value;
        return changed;
    }

    private static byte[] length(byte[] frame, int index, int length) {
        byte[] changed = frame.clone();
        ByteBuffer.wrap(changed).putInt(index, length);
        return changed;
    }

    /** Body one byte shorter than its fields say, announced as such. */
    private static byte[] shortened(byte[] frame) {
        int bodyLength = ByteBuffer.wrap(frame).getInt(12);
        return Arrays.copyOf(length(frame, 12, bodyLength - 1), frame.length - 1);
    }

    private static byte[] ofKind(int kind) {
        byte[] prefix = Arrays.copyOf(RawFrames.request(7, ""), FrameEncoder.PREFIX_LENGTH);
        byte[] header =
                RequestHeader.newBuilder().setKind(kind).setCall(7).build().toByteArray();
        byte[] frame = Arrays.copyOf(prefix, prefix.length + header.length);
        System.arraycopy(header, 0, frame, prefix.length, header.length);
        ByteBuffer.wrap(frame).putInt(8, header.length).putInt(12, 0);
        return frame;
    }
}
