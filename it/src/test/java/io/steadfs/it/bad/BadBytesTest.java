package io.steadfs.it.bad;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.hello.Introduction;
import io.steadfs.it.Cluster;
import io.steadfs.it.Insider;
import io.steadfs.it.Seed;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.StatusRequest;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bytes that are no good frames, on the port of every server of a cluster. The sender is told where that is possible,
 * and the same server answers a good request afterwards.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class BadBytesTest {
    private static final int CALL = 7;

    private final AnswerTable table = new AnswerTable("bytes", "Bytes, on the port of every server");
    private final Cluster cluster;
    private final Introduction insider;

    BadBytesTest(@TempDir Path data) throws IOException {
        cluster = Cluster.start(data, 2, Map.of("stead.rpc.frame.timeout", "300"));
        insider = Insider.of(cluster);
    }

    @AfterAll
    void stop() throws IOException {
        cluster.close();
        table.write();
    }

    static Stream<Arguments> badBytes() {
        byte[] good = Frames.request(Kind.STATUS, CALL, StatusRequest.getDefaultInstance());
        byte[] http = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] tls = HexFormat.of().parseHex("16030100f8010000f40303" + "5a".repeat(64));
        return Stream.of(
                row("an HTTP GET", http, FsError.BAD_MESSAGE, 0, "0x47455420"),
                row("a TLS hello", tls, FsError.BAD_MESSAGE, 0, "0x16030100"),
                row("wrong magic", Frames.with(good, 0, 'X'), FsError.BAD_MESSAGE, 0, "0x58544446"),
                row("version 0", Frames.with(good, 4, 0), FsError.UNSUPPORTED_VERSION, 0, "version 0"),
                row("version 1", Frames.with(good, 4, 1), FsError.UNSUPPORTED_VERSION, 0, "version 1"),
                row("version 255", Frames.with(good, 4, 255), FsError.UNSUPPORTED_VERSION, 0, "version 255"),
                row("frame type 9", Frames.with(good, 5, 9), FsError.BAD_MESSAGE, 0, "frame type 9"),
                row("a reply", Frames.with(good, 5, 2), FsError.BAD_MESSAGE, 0, "reply"),
                row("reserved byte set", Frames.with(good, 7, 1), FsError.BAD_MESSAGE, 0, "reserved"),
                row("header of 64 KiB + 1", length(good, 8, (64 << 10) + 1), FsError.BAD_MESSAGE, 0, "65537"),
                row("header of 4 GiB - 1", length(good, 8, -1), FsError.BAD_MESSAGE, 0, "4294967295"),
                row("body of 8 MiB + 1", length(good, 12, (8 << 20) + 1), FsError.BAD_MESSAGE, CALL, "8388609"),
                row("body of 4 GiB - 1", length(good, 12, -1), FsError.BAD_MESSAGE, CALL, "4294967295"),
                row("payload of 16 MiB + 1", length(good, 16, (16 << 20) + 1), FsError.BAD_MESSAGE, CALL, "16777217"),
                row("payload of 2 GiB", length(good, 16, 1 << 31), FsError.BAD_MESSAGE, CALL, "2147483648"),
                row("one byte, then silence", Arrays.copyOf(good, 1), FsError.BAD_MESSAGE, 0, "300 ms"),
                row("half a prefix, then silence", Arrays.copyOf(good, 11), FsError.BAD_MESSAGE, 0, "300 ms"),
                row("half a header, then silence", Arrays.copyOf(good, 21), FsError.BAD_MESSAGE, 0, "300 ms"),
                row("no payload, then silence", length(good, 16, 1000), FsError.BAD_MESSAGE, 0, "300 ms"),
                row("a header that is no protobuf", Frames.with(good, 20, 0xff), FsError.BAD_MESSAGE, 0, "header"),
                row("call number 0", call0(), FsError.BAD_MESSAGE, 0, "call number 0"));
    }

    private static byte[] call0() {
        return Frames.request(Kind.STATUS, 0, StatusRequest.getDefaultInstance());
    }

    private static byte[] length(byte[] frame, int index, int length) {
        return Frames.length(frame, index, length);
    }

    private static Arguments row(String input, byte[] bytes, FsError error, long call, String words) {
        return Arguments.of(input, bytes, error, call, words);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badBytes")
    void theSenderIsToldAndTheServerGoesOn(String input, byte[] bytes, FsError error, long call, String words)
            throws IOException {
        for (Map.Entry<String, ServerAddress> port : cluster.ports().entrySet()) {
            try (Socket socket = connect(port.getValue())) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                socket.getOutputStream().write(bytes);
                ReplyHeader answer = Frames.readReply(in);

                assertThat(FsError.byCode(answer.getError())).as(port.getKey()).contains(error);
                assertThat(answer.getMessage()).as(port.getKey()).contains(words);
                assertThat(answer.getCall()).as(port.getKey()).isEqualTo(call);
                assertThat(in.read()).as("%s closes", port.getKey()).isEqualTo(-1);
                table.add(input, error + ": " + answer.getMessage() + "; closed");
            }
            assertGoesOn(port);
        }
    }

    @ParameterizedTest
    @MethodSource("halfFrames")
    void aHalfFrameThatEndsIsForgotten(int bytes) throws IOException {
        byte[] good = Frames.request(Kind.STATUS, CALL, StatusRequest.getDefaultInstance());
        byte[] half = Arrays.copyOf(length(good, 16, 500_000), bytes);
        for (Map.Entry<String, ServerAddress> port : cluster.ports().entrySet()) {
            try (Socket socket = connect(port.getValue())) {
                socket.getOutputStream().write(half);
                socket.shutdownOutput();
                assertThat(answersUntilClosed(socket)).as(port.getKey()).isZero();
            }
            assertGoesOn(port);
            table.add(bytes + " bytes of a frame, then the end", "closed");
        }
    }

    static Stream<Integer> halfFrames() {
        return Stream.of(1, 19, 20, 21, 100, 400_000);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void randomBytesHarmNobody(long seed) throws IOException {
        Random random = new Random(seed);
        for (Map.Entry<String, ServerAddress> port : cluster.ports().entrySet()) {
            for (int i = 0; i < 20; i++) {
                byte[] noise = new byte[random.nextInt(100_000)];
                random.nextBytes(noise);
                if (random.nextBoolean()) {
                    noise = mutated(random);
                }
                try (Socket socket = connect(port.getValue())) {
                    socket.getOutputStream().write(noise);
                    socket.shutdownOutput();
                    answersUntilClosed(socket);
                } catch (SocketException e) {
                    // The server may close while we are still writing.
                    assertThat(e).as("seed %d", seed).hasMessageMatching(".*(reset|[Bb]roken pipe).*");
                }
            }
            assertGoesOn(port);
            table.add("20 x random bytes, seed " + seed, "BAD_MESSAGE or an answer; closed");
        }
    }

    static Stream<Long> seeds() {
        return new Random(Seed.OF_RUN).longs(4).boxed();
    }

    /** Good frames of every kind; one bit in some is changed. */
    private static byte[] mutated(Random random) {
        Kind[] kinds = Kind.values();
        Kind kind = kinds[random.nextInt(kinds.length)];
        byte[] body = new byte[random.nextInt(100)];
        random.nextBytes(body);
        byte[] whole = Frames.request(kind, CALL, body);
        whole[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
        return whole;
    }

    /** Reads until the server closes; a reset is a way of closing too. */
    private static int answersUntilClosed(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        int answers = 0;
        try {
            while (true) {
                Frames.readReply(in);
                answers++;
            }
        } catch (EOFException | SocketException e) {
            return answers;
        }
    }

    private void assertGoesOn(Map.Entry<String, ServerAddress> port) throws IOException {
        try (Socket socket = connect(port.getValue())) {
            socket.getOutputStream().write(Frames.request(Kind.STATUS, 9, StatusRequest.getDefaultInstance()));
            ReplyHeader answer = Frames.readReply(new DataInputStream(socket.getInputStream()));
            assertThat(answer.getError())
                    .as("a good request to %s", port.getKey())
                    .isZero();
            assertThat(answer.getCall()).isEqualTo(9);
        }
    }

    /** As a server, whose every kind is read. */
    private Socket connect(ServerAddress address) throws IOException {
        return Frames.connect(address, insider);
    }
}
