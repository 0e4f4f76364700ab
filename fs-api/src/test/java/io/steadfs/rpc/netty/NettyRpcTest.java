package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.epoll.Epoll;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.time.Clock;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.StatReply;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls between a transport and a server on one machine, by TCP and by the socket file. */
@Timeout(60)
@ParameterizedClass(name = "by {0}")
@EnumSource
class NettyRpcTest {
    private enum Way {
        TCP,
        FILE
    }

    private final Way way;
    private final Path socketDirectory;

    NettyRpcTest(Way way, @TempDir Path socketDirectory) {
        this.way = way;
        this.socketDirectory = socketDirectory;
    }

    private final ConcurrentLinkedQueue<RequestHandler.Call> kept = new ConcurrentLinkedQueue<>();

    private Loopback open(RequestHandler handler) throws IOException {
        return open(handler, Map.of());
    }

    private Loopback open(RequestHandler handler, Map<String, String> settings) throws IOException {
        return open(handler, settings, new SystemClock());
    }

    private Loopback open(RequestHandler handler, Map<String, String> settings, Clock clock) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.put("stead.rpc.socket.dir", way == Way.TCP ? "" : socketDirectory.toString());
        return new Loopback(handler, all, clock);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, 65_536 - 20, 65_537, 1 << 20, (4 << 20) + 13, 16 << 20})
    void payloadsArriveAsSentInBothDirections(int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        try (Loopback net = open(Loopback::echo)) {
            ByteBuf sent = Loopback.buffer(bytes);
            Reply reply = Loopback.get(net.send(Loopback.stat("p", new Payload.Bytes(sent))));
            assertThat(Loopback.pathOf(reply)).isEqualTo("p");
            assertThat(Loopback.take(reply.payload())).isEqualTo(bytes);
            Loopback.await("request payload released", () -> sent.refCnt() == 0);
        }
    }

    @Test
    void worksWithoutNativeCode() throws IOException {
        try (Loopback net = new Loopback(Loopback::echo, Map.of(), EventLoops.openPortable("test-nio", 2))) {
            assertThat(net.loops.isNative()).isFalse();
            assertThat(Loopback.pathOf(net.ask("a"))).isEqualTo("a");
        }
    }

    @Test
    void usesEpollWhereTheMachineHasIt() throws IOException {
        try (Loopback net = open(Loopback::echo)) {
            assertThat(net.loops.isNative()).isEqualTo(Epoll.isAvailable());
        }
    }

    @Test
    void aThousandPipelinedCallsAnsweredBackwardsFromAnotherThread() throws Exception {
        Map<String, String> settings = Map.of("stead.rpc.connection.inflight.requests", "2000");
        try (Loopback net = open(kept::add, settings)) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                replies.add(net.send(Loopback.stat("path " + i)));
            }
            Loopback.await("all requests at work", () -> kept.size() == 1000);
            List<RequestHandler.Call> calls = new ArrayList<>(kept);
            assertThat(calls.get(0).request().header().getCall()).isEqualTo(1);
            assertThat(calls.get(999).request().header().getCall()).isEqualTo(1000);
            Thread other = new Thread(() -> {
                for (int i = calls.size() - 1; i >= 0; i--) {
                    calls.get(i).reply(Loopback.answerTo(calls.get(i)));
                }
            });
            other.start();
            for (int i = 0; i < 1000; i++) {
                assertThat(Loopback.pathOf(Loopback.get(replies.get(i)))).isEqualTo("path " + i);
            }
            other.join();
            assertThat(net.serverCounters.snapshot()).isEqualTo(Map.of("messages.in.STAT", 1000L, "steps.test", 1000L));
            assertThat(net.clientCounters.snapshot())
                    .isEqualTo(Map.of("messages.out.STAT", 1000L, "steps.test", 1000L));
        }
    }

    @Test
    void cancellingTellsTheServer() throws IOException {
        try (Loopback net = open(kept::add, Loopback.QUICK_STOP)) {
            CompletableFuture<Reply> other = net.send(Loopback.stat("other"));
            CompletableFuture<Reply> future = net.send(Loopback.stat("a"));
            Loopback.await("two calls", () -> kept.size() == 2);
            future.cancel(false);
            RequestHandler.Call first = kept.remove();
            RequestHandler.Call second = kept.remove();
            Loopback.await("cancelled", second::isCancelled);
            assertThat(first.isCancelled()).isFalse();
            second.reply(Reply.refused(second.request().kind(), FsError.CANCELLED, "taken back"));
            first.reply(Loopback.answerTo(first));
            assertThat(Loopback.pathOf(Loopback.get(other))).isEqualTo("other");
        }
    }

    @Test
    void cancellingBeforeAConnectionIsMadeReleasesThePayload() throws IOException {
        try (Loopback net = open(Loopback::echo)) {
            ByteBuf payload = Loopback.buffer(new byte[1000]);
            net.send(Loopback.stat("a", new Payload.Bytes(payload))).cancel(false);
            Loopback.await("payload released", () -> payload.refCnt() == 0);
            assertThat(Loopback.pathOf(net.ask("b"))).isEqualTo("b");
        }
    }

    @Test
    void aCallWithoutReplyTimesOutAndItsLateReplyIsDropped() throws IOException {
        HandClock clock = new HandClock();
        try (Loopback net = open(kept::add, Loopback.QUICK_STOP, clock)) {
            CompletableFuture<Reply> longer = net.send(Loopback.stat("longer"));
            Loopback.await("connected", () -> kept.size() == 1);
            CompletableFuture<Reply> slow = net.transport.send(net.address(), Loopback.stat("slow"), 100);
            CompletableFuture<Reply> sooner = net.transport.send(net.address(), Loopback.stat("sooner"), 99);
            Loopback.await("all at work", () -> kept.size() == 3);
            clock.move(99);
            assertThat(Loopback.get(sooner).error()).isEqualTo(FsError.TIMED_OUT);
            assertThat(slow).isNotDone();
            clock.move(1);
            Reply reply = Loopback.get(slow);
            assertThat(reply.error()).isEqualTo(FsError.TIMED_OUT);
            assertThat(reply.header().getMessage())
                    .contains("STAT", "100 ms", net.address().toString());
            RequestHandler.Call first = kept.remove();
            RequestHandler.Call late = kept.remove();
            Loopback.await("the server counts the deadline too", late::isCancelled);
            ByteBuf payload = Loopback.buffer(new byte[100_000]);
            late.reply(Reply.ok(StatReply.getDefaultInstance(), new Payload.Bytes(payload)));
            first.reply(Loopback.answerTo(first));
            assertThat(Loopback.pathOf(Loopback.get(longer))).isEqualTo("longer");
            Loopback.await("late reply's payload released", () -> payload.refCnt() == 0);
        }
    }

    @Test
    void aServerThatIsNotThereIsUnreachable() throws IOException {
        try (Loopback net = open(Loopback::echo)) {
            ServerAddress nobody = freeAddress();
            for (int i = 0; i < 3; i++) {
                ByteBuf payload = Loopback.buffer(new byte[100]);
                Reply reply =
                        Loopback.get(net.transport.send(nobody, Loopback.stat("a", new Payload.Bytes(payload)), 5_000));
                assertThat(reply.error()).isEqualTo(FsError.UNREACHABLE);
                assertThat(reply.header().getMessage()).contains(nobody.toString(), "refused");
                assertThat(payload.refCnt()).isZero();
            }
            Reply unknown = Loopback.get(
                    net.transport.send(new ServerAddress("no.such.invalid", 1), Loopback.stat("a"), 20_000));
            assertThat(unknown.error()).isEqualTo(FsError.UNKNOWN_HOST);
            assertThat(unknown.header().getMessage()).contains("no.such.invalid");
        }
    }

    @Test
    void aLostConnectionFailsItsCallsAndTheNextCallMakesANewOne() throws IOException {
        ServerAddress address;
        try (Loopback net = open(Loopback::echo)) {
            NettyServer first = NettyServer.listen(
                    net.loops,
                    "127.0.0.1",
                    0,
                    stopAtOnce(),
                    kept::add,
                    net.serverCounters,
                    net.clock,
                    Loopback.WELCOME);
            address = first.address();
            CompletableFuture<Reply> inFlight = net.transport.send(address, Loopback.stat("a"), 20_000);
            Loopback.await("at work", () -> !kept.isEmpty());
            first.close();
            Reply reply = Loopback.get(inFlight);
            assertThat(reply.error()).isEqualTo(FsError.CONNECTION_LOST);
            assertThat(reply.header().getMessage()).contains(address.toString());
            RequestHandler.Call call = kept.remove();
            // The caller may see the end of the connection before the server's own thread goes on.
            Loopback.await("cancelled", call::isCancelled);
            ByteBuf payload = Loopback.buffer(new byte[100]);
            call.reply(Reply.ok(StatReply.getDefaultInstance(), new Payload.Bytes(payload)));
            Loopback.await("reply to nobody released", () -> payload.refCnt() == 0);

            try (NettyServer second = NettyServer.listen(
                    net.loops,
                    "127.0.0.1",
                    address.port(),
                    net.options,
                    Loopback::echo,
                    net.serverCounters,
                    net.clock,
                    Loopback.WELCOME)) {
                assertThat(second.address()).isEqualTo(address);
                Loopback.await(
                        "reached again",
                        () -> Loopback.get(net.transport.send(address, Loopback.stat("b"), 20_000))
                                .isOk());
            }
        }
    }

    private static NettyOptions stopAtOnce() {
        return NettyOptions.from(Settings.of(Loopback.QUICK_STOP));
    }

    @Test
    void aStoppingServerFinishesWhatItWorksOn() throws Exception {
        try (Loopback net = open(kept::add)) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                replies.add(net.send(Loopback.stat("path " + i)));
            }
            Loopback.await("at work", () -> kept.size() == 20);
            Thread stopper = new Thread(net.server::close);
            stopper.start();
            Loopback.await("port free", () -> canListen(net.address()));
            for (RequestHandler.Call call : kept) {
                assertThat(call.isCancelled()).isFalse();
                call.reply(Loopback.answerTo(call));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(Loopback.pathOf(Loopback.get(replies.get(i)))).isEqualTo("path " + i);
            }
            stopper.join();
            assertThat(net.server.connections()).isZero();
            Loopback.await(
                    "nobody answers any more",
                    () -> Loopback.get(net.send(Loopback.stat("late"))).error() == FsError.UNREACHABLE);
        }
    }

    private static boolean canListen(ServerAddress address) {
        try (ServerSocket probe = new ServerSocket(address.port())) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void callsAboveTheClientsBoundAreBusy() throws IOException {
        Map<String, String> settings =
                Map.of("stead.rpc.client.inflight.calls", "4", "stead.rpc.client.inflight.bytes", "1m");
        try (Loopback net = open(kept::add, settings)) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                replies.add(net.send(Loopback.stat("a" + i)));
            }
            ByteBuf payload = Loopback.buffer(new byte[100]);
            Reply busy = Loopback.get(net.send(Loopback.stat("b", new Payload.Bytes(payload))));
            assertThat(busy.error()).isEqualTo(FsError.BUSY);
            assertThat(payload.refCnt()).isZero();
            Loopback.await("at work", () -> kept.size() == 4);
            for (RequestHandler.Call call : kept) {
                call.reply(Loopback.answerTo(call));
            }
            for (CompletableFuture<Reply> reply : replies) {
                assertThat(Loopback.get(reply).isOk()).isTrue();
            }
            kept.clear();
            CompletableFuture<Reply> large =
                    net.send(Loopback.stat("large", new Payload.Bytes(Loopback.buffer(new byte[2 << 20]))));
            assertThat(Loopback.get(net.send(Loopback.stat("small"))).error()).isEqualTo(FsError.BUSY);
            Loopback.await("large one at work", () -> kept.size() == 1);
            Loopback.echo(kept.remove());
            assertThat(Loopback.take(Loopback.get(large).payload())).hasSize(2 << 20);
        }
    }

    @Test
    void aServerReadsNoMoreRequestsThanItMayWorkOn() throws IOException {
        Map<String, String> settings = Map.of("stead.rpc.connection.inflight.requests", "4");
        AtomicInteger most = new AtomicInteger();
        RequestHandler counting = call -> {
            kept.add(call);
            most.accumulateAndGet(kept.size(), Math::max);
        };
        try (Loopback net = open(counting, settings)) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                replies.add(net.send(Loopback.stat("a" + i)));
            }
            for (int i = 0; i < 500; i++) {
                Loopback.await("at work", () -> !kept.isEmpty());
                RequestHandler.Call call = kept.remove();
                call.reply(Loopback.answerTo(call));
            }
            for (int i = 0; i < 500; i++) {
                assertThat(Loopback.pathOf(Loopback.get(replies.get(i)))).isEqualTo("a" + i);
            }
            assertThat(most.get()).isEqualTo(4);
        }
    }

    @Test
    void whatAServerWorksOnIsCountedUntilItIsAnsweredOrItsClientIsGone() throws IOException {
        try (Loopback net = open(kept::add)) {
            assertThat(load(net)).containsExactly(0L, 0L);
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                replies.add(net.send(Loopback.stat("a", new Payload.Bytes(Loopback.buffer(new byte[1000])))));
            }
            Loopback.await("at work", () -> kept.size() == 3);
            long each = 1000L + kept.element().request().body().getSerializedSize();
            assertThat(load(net)).containsExactly(3L, 3 * each);

            RequestHandler.Call first = kept.remove();
            Loopback.echo(first);
            Loopback.get(replies.get(0)).payload().release();
            assertThat(load(net)).containsExactly(2L, 2 * each);

            kept.forEach(call -> call.request().payload().release());
            net.transport.close();
            Loopback.await("the client is gone", () -> net.server.connections() == 0);
            Loopback.await("nothing at work", () -> load(net).equals(List.of(0L, 0L)));
        }
    }

    private static List<Long> load(Loopback net) {
        Map<String, Long> gauges = net.serverCounters.load().gauges();
        return List.of(gauges.get("requests.working"), gauges.get("requests.working.bytes"));
    }

    @Test
    void aRequestThatWaitedBeyondItsDeadlineIsNotBegun() throws IOException {
        try (Loopback net = open(kept::add, Map.of("stead.rpc.connection.inflight.requests", "1"));
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), net.address().port())) {
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            both.writeBytes(RawFrames.hello());
            both.writeBytes(RawFrames.request(1, "a"));
            both.writeBytes(RawFrames.request(2, "b", 20));
            socket.getOutputStream().write(both.toByteArray());
            Loopback.await("the first at work", () -> kept.size() == 1);
            long late = System.nanoTime() + 50_000_000;
            Loopback.await("the second is late", () -> System.nanoTime() - late > 0);
            RequestHandler.Call first = kept.remove();
            first.reply(Loopback.answerTo(first));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            assertThat(RawFrames.readReply(in).getCall()).isEqualTo(1);
            ReplyHeader second = RawFrames.readReply(in);
            assertThat(second.getCall()).isEqualTo(2);
            assertThat(FsError.byCode(second.getError())).contains(FsError.CANCELLED);
            assertThat(kept).isEmpty();
        }
    }

    @Test
    void aFileRegionIsSentAsItIs(@TempDir Path directory) throws IOException {
        byte[] bytes = new byte[3 << 20];
        new Random(7).nextBytes(bytes);
        Path file = Files.write(directory.resolve("data"), bytes);
        RequestHandler handler = call -> call.reply(Reply.ok(
                StatReply.getDefaultInstance(),
                new Payload.Region(new DefaultFileRegion(file.toFile(), 1000, bytes.length - 1000))));
        try (Loopback net = open(handler, Map.of("stead.rpc.connection.inflight.requests", "2"))) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                replies.add(net.send(Loopback.stat("a")));
            }
            for (CompletableFuture<Reply> reply : replies) {
                byte[] received = Loopback.take(Loopback.get(reply).payload());
                assertThat(received).isEqualTo(Arrays.copyOfRange(bytes, 1000, bytes.length));
            }
        }
    }

    @Test
    void aRegionThatCannotBeSentEndsTheConnectionNotTheServer(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("short"), new byte[100]);
        AtomicInteger asked = new AtomicInteger();
        RequestHandler handler = call -> {
            if (asked.getAndIncrement() == 0) {
                call.reply(Reply.ok(
                        StatReply.getDefaultInstance(),
                        new Payload.Region(new DefaultFileRegion(file.toFile(), 0, 5000))));
            } else {
                Loopback.echo(call);
            }
        };
        try (Loopback net = open(handler)) {
            assertThat(net.ask("a").error()).isEqualTo(FsError.CONNECTION_LOST);
            Loopback.await("reached again", () -> net.ask("b").isOk());
        }
    }

    @Test
    void aHandlerThatThrowsIsAFault() throws IOException {
        RequestHandler handler = call -> {
            throw new IllegalStateException("column 7 has no row");
        };
        try (Loopback net = open(handler)) {
            Reply reply = net.ask("a");
            assertThat(reply.error()).isEqualTo(FsError.FAULT);
            assertThat(reply.header().getMessage()).contains("STAT", "column 7 has no row");
        }
    }

    @Test
    void aSecondReplyIsAnErrorOfTheHandler() throws IOException {
        try (Loopback net = open(kept::add)) {
            CompletableFuture<Reply> future = net.send(Loopback.stat("a"));
            Loopback.await("at work", () -> !kept.isEmpty());
            RequestHandler.Call call = kept.remove();
            call.reply(Loopback.answerTo(call));
            ByteBuf payload = Loopback.buffer(new byte[10]);
            assertThatThrownBy(() -> call.reply(Reply.ok(StatReply.getDefaultInstance(), new Payload.Bytes(payload))))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("second reply");
            assertThat(payload.refCnt()).isZero();
            assertThat(Loopback.get(future).isOk()).isTrue();
        }
    }

    @Test
    void messagesAboveTheLimitsAreRefusedBeforeTheyAreSent() throws IOException {
        Map<String, String> settings = Map.of("stead.rpc.max.payload", "64k", "stead.rpc.max.body", "64k");
        RequestHandler handler = call -> {
            call.request().payload().release();
            call.reply(Reply.ok(
                    StatReply.getDefaultInstance(), new Payload.Bytes(Loopback.buffer(new byte[(64 << 10) + 1]))));
        };
        try (Loopback net = open(handler, settings)) {
            ByteBuf payload = Loopback.buffer(new byte[(64 << 10) + 1]);
            Reply large = Loopback.get(net.send(Loopback.stat("a", new Payload.Bytes(payload))));
            assertThat(large.error()).isEqualTo(FsError.TOO_LARGE);
            assertThat(large.header().getMessage()).contains("65537", "stead.rpc.max.payload");
            assertThat(payload.refCnt()).isZero();
            assertThat(net.ask("x".repeat(70_000)).error()).isEqualTo(FsError.TOO_LARGE);
            assertThat(net.serverCounters.snapshot()).isEmpty();
            Reply answer = net.ask("b");
            assertThat(answer.error()).isEqualTo(FsError.TOO_LARGE);
            assertThat(answer.header().getMessage()).contains("reply", "65537");
        }
    }

    @Test
    void aPortInUseIsNamed() throws IOException {
        try (Loopback net = open(Loopback::echo)) {
            assertThatThrownBy(() -> NettyServer.listen(
                            net.loops,
                            "127.0.0.1",
                            net.address().port(),
                            net.options,
                            Loopback::echo,
                            net.serverCounters,
                            net.clock,
                            Loopback.WELCOME))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + net.address().port())
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void aClosedTransportReachesNobody() throws IOException {
        try (Loopback net = open(kept::add, Loopback.QUICK_STOP)) {
            CompletableFuture<Reply> future = net.send(Loopback.stat("a"));
            Loopback.await("at work", () -> !kept.isEmpty());
            net.transport.close();
            assertThat(Loopback.get(future).error()).isEqualTo(FsError.CONNECTION_LOST);
            assertThat(net.ask("b").error()).isEqualTo(FsError.UNREACHABLE);
            Loopback.await("the server noticed", () -> kept.element().isCancelled());
        }
    }

    private static ServerAddress freeAddress() throws IOException {
        try (ServerSocket probe = new ServerSocket(0)) {
            return new ServerAddress("127.0.0.1", probe.getLocalPort());
        }
    }
}
