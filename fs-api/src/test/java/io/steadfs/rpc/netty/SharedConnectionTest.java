package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.hello.PeerName;
import io.steadfs.hello.TestHello;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.proto.StatRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many clients use one connection: each is as well off as if it were alone, and it goes when nobody uses it. */
class SharedConnectionTest {
    /** Calls whose path begins with "stuck" are not answered. */
    private final Queue<RequestHandler.Call> stuck = new ConcurrentLinkedQueue<>();

    private final AtomicInteger executed = new AtomicInteger();

    private void answerUnlessStuck(RequestHandler.Call call) {
        StatRequest asked = (StatRequest) call.request().body();
        if (asked.getLocation().getPath().startsWith("stuck")) {
            stuck.add(call);
        } else {
            executed.incrementAndGet();
            call.reply(Loopback.answerTo(call));
        }
    }

    private static Transport share(Loopback net) {
        return net.transport.share(MessageCounters.keeping(Settings.defaults()));
    }

    private static CompletableFuture<Reply> send(Loopback net, Transport client, String path) {
        return client.send(net.address(), Loopback.stat(path), 20_000);
    }

    @Test
    void twoHundredClientsHaveOneConnection() throws IOException {
        try (Loopback net = new Loopback(this::answerUnlessStuck)) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                replies.add(send(net, share(net), "path " + i));
            }
            for (int i = 0; i < 200; i++) {
                assertThat(Loopback.pathOf(Loopback.get(replies.get(i)))).isEqualTo("path " + i);
            }
            assertThat(net.server.connections()).isEqualTo(1);
            assertThat(net.serverCounters.load().gauges()).containsEntry("connections.open", 1L);
        }
    }

    /** One call at a time, each given up before the connection counts as dead: together they tell that nothing comes. */
    @Test
    void aConnectionThatIsSilentIsGivenUpByCallsOneAfterAnother() throws IOException {
        Set<String> connections = ConcurrentHashMap.newKeySet();
        Map<String, String> settings = Map.of("stead.rpc.frame.timeout", "400");
        try (Loopback net = new Loopback(call -> connections.add(call.peer()), settings)) {
            Loopback.await("a second connection", () -> {
                Reply reply = Loopback.get(net.transport.send(net.address(), Loopback.stat("silent"), 150));
                assertThat(reply.isOk()).isFalse();
                return connections.size() > 1;
            });
        }
    }

    /** A short try beside a long one is no proof that the connection, which others use, is dead. */
    @Test
    void aShortTimeoutDoesNotCloseWhatOthersWaitOn() throws IOException {
        Map<String, String> settings = Map.of("stead.rpc.frame.timeout", "100");
        HandClock clock = new HandClock();
        try (Loopback net = new Loopback(this::answerUnlessStuck, settings, clock)) {
            Transport client = share(net);
            assertThat(Loopback.get(send(net, client, "first")).isOk()).isTrue();
            CompletableFuture<Reply> slow = send(net, client, "stuck, slow");
            Loopback.await("at work", () -> stuck.size() == 1);
            // Longer than a frame may stand.
            clock.move(200);
            CompletableFuture<Reply> late = share(net).send(net.address(), Loopback.stat("stuck, short"), 10);
            Loopback.await("both at work", () -> stuck.size() == 2);
            clock.move(10);
            assertThat(Loopback.get(late).error()).isEqualTo(FsError.TIMED_OUT);
            RequestHandler.Call call = stuck.remove();
            call.reply(Loopback.answerTo(call));
            assertThat(Loopback.pathOf(Loopback.get(slow))).isEqualTo("stuck, slow");
            stuck.forEach(left -> left.reply(Loopback.answerTo(left)));
        }
    }

    /** As many first calls as there are clients do not go beyond what the server works on, and each has its turn. */
    @Test
    void firstCallsOfManyClientsKeepTheBoundOfBytes() throws IOException {
        int most = 1 << 20;
        AtomicLong mostAtWork = new AtomicLong();
        Loopback[] there = new Loopback[1];
        RequestHandler handler = call -> {
            mostAtWork.accumulateAndGet(
                    there[0].serverCounters.load().gauges().getOrDefault("requests.working.bytes", 0L), Math::max);
            call.request().payload().release();
            stuck.add(call);
        };
        Map<String, String> settings = Map.of("stead.rpc.connection.inflight.bytes", "" + most);
        try (Loopback net = new Loopback(handler, settings)) {
            there[0] = net;
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                // One that nearly fills the bound, and one that is above it, among others.
                int bytes = i == 50 ? most - 4096 : i == 100 ? most + 4096 : 64 << 10;
                replies.add(share(net)
                        .send(
                                net.address(),
                                Loopback.stat("path " + i, new Payload.Bytes(Loopback.buffer(new byte[bytes]))),
                                60_000));
            }
            int answered = 0;
            int turnOfLarge = 0;
            while (answered < 200) {
                Loopback.await("a further one at work", () -> !stuck.isEmpty());
                RequestHandler.Call call = stuck.remove();
                answered++;
                if (call.request().payload().length() > most / 2) {
                    turnOfLarge = answered;
                }
                call.reply(Loopback.answerTo(call));
            }
            replies.forEach(reply -> assertThat(Loopback.get(reply).isOk()).isTrue());
            assertThat(mostAtWork.get()).isGreaterThan(most / 2).isLessThan(most + 8192);
            assertThat(turnOfLarge).as("the largest went in its turn").isLessThan(150);
            assertThat(net.server.connections()).isEqualTo(1);
        }
    }

    @Test
    void countersAreOfOneClient() throws IOException {
        try (Loopback net = new Loopback(this::answerUnlessStuck)) {
            MessageCounters one = MessageCounters.keeping(Settings.defaults());
            Loopback.get(send(net, net.transport.share(one), "a"));
            Loopback.get(send(net, share(net), "b"));
            assertThat(one.snapshot()).containsEntry("messages.out.STAT", 1L);
        }
    }

    /** A server works on 100 requests of a connection; the stuck ones of a client are fewer, and so are those of five. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void requestsThatAreStuckBlockOnlyTheirClient(int greedy) throws IOException {
        Map<String, String> settings =
                Map.of("stead.rpc.connection.inflight.requests", "100", "stead.rpc.client.inflight.calls", "300");
        try (Loopback net = new Loopback(this::answerUnlessStuck, settings)) {
            List<CompletableFuture<Reply>> waiting = new ArrayList<>();
            for (int client = 0; client < greedy; client++) {
                Transport transport = share(net);
                for (int i = 0; i < 300; i++) {
                    waiting.add(send(net, transport, "stuck " + i));
                }
                Reply busy = Loopback.get(send(net, transport, "more"));
                assertThat(busy.error()).isEqualTo(FsError.BUSY);
                assertThat(busy.header().getMessage()).contains("300 calls");
            }
            Transport other = share(net);
            for (int i = 0; i < 50; i++) {
                assertThat(Loopback.pathOf(Loopback.get(send(net, other, "path " + i))))
                        .isEqualTo("path " + i);
            }
            assertThat(stuck).hasSizeBetween(60, 90);

            for (int answered = 0; answered < 300 * greedy; answered++) {
                Loopback.await("a further one at work", () -> !stuck.isEmpty());
                RequestHandler.Call call = stuck.remove();
                call.reply(Loopback.answerTo(call));
            }
            waiting.forEach(reply -> assertThat(Loopback.get(reply).isOk()).isTrue());
            assertThat(net.server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aCallThatFindsNoPlaceInTimeIsBusyAndWasNotSent() throws IOException {
        Map<String, String> settings = Map.of("stead.rpc.connection.inflight.requests", "1");
        try (Loopback net = new Loopback(this::answerUnlessStuck, settings)) {
            CompletableFuture<Reply> first = send(net, share(net), "stuck");
            Loopback.await("at work", () -> stuck.size() == 1);
            Reply second = Loopback.get(share(net).send(net.address(), Loopback.stat("b"), 100));
            assertThat(second.error()).isEqualTo(FsError.BUSY);
            assertThat(second.header().getMessage()).contains("not sent within 100 ms", "1 calls");
            RequestHandler.Call call = stuck.remove();
            call.reply(Loopback.answerTo(call));
            assertThat(Loopback.get(first).isOk()).isTrue();
            assertThat(executed).hasValue(0);
        }
    }

    /** Whoever gave up a call leaves the server at work: others must not be sent into a socket that is not read. */
    @Test
    void callsThatWereGivenUpKeepTheirPlaceUntilTheServerAnswers() throws IOException {
        Map<String, String> settings = Map.of("stead.rpc.connection.inflight.requests", "2");
        HandClock clock = new HandClock();
        try (Loopback net = new Loopback(this::answerUnlessStuck, settings, clock)) {
            Transport client = share(net);
            for (int i = 1; i <= 2; i++) {
                CompletableFuture<Reply> late = client.send(net.address(), Loopback.stat("stuck"), 50);
                int atWork = i;
                Loopback.await("at work", () -> stuck.size() == atWork);
                clock.move(50);
                assertThat(Loopback.get(late).error()).isEqualTo(FsError.TIMED_OUT);
            }
            CompletableFuture<Reply> third = send(net, client, "c");
            CompletableFuture<Reply> fourth = client.send(net.address(), Loopback.stat("d"), 50);
            clock.move(50);
            assertThat(Loopback.get(fourth).error()).isEqualTo(FsError.BUSY);
            RequestHandler.Call call = stuck.remove();
            call.reply(Loopback.answerTo(call));
            assertThat(Loopback.pathOf(Loopback.get(third))).isEqualTo("c");
            stuck.forEach(left -> left.reply(Loopback.answerTo(left)));
        }
    }

    @Test
    void aClientThatIsClosedEndsItsOwnCalls() throws IOException {
        try (Loopback net = new Loopback(this::answerUnlessStuck)) {
            Transport leaving = share(net);
            Transport staying = share(net);
            CompletableFuture<Reply> its = send(net, leaving, "stuck, leaving");
            CompletableFuture<Reply> others = send(net, staying, "stuck, staying");
            Loopback.await("at work", () -> stuck.size() == 2);
            leaving.close();
            assertThat(Loopback.get(its).error()).isEqualTo(FsError.CONNECTION_LOST);
            assertThat(Loopback.get(send(net, leaving, "late")).error()).isEqualTo(FsError.UNREACHABLE);
            RequestHandler.Call left = stuck.remove();
            Loopback.await("the server is told", left::isCancelled);
            RequestHandler.Call kept = stuck.remove();
            assertThat(kept.isCancelled()).isFalse();
            left.reply(Loopback.answerTo(left));
            kept.reply(Loopback.answerTo(kept));
            assertThat(Loopback.pathOf(Loopback.get(others))).isEqualTo("stuck, staying");
            assertThat(Loopback.get(send(net, staying, "further")).isOk()).isTrue();
            assertThat(net.server.connections()).isEqualTo(1);
        }
    }

    /** Two file systems of one process, one of which has a wrong address. */
    @Test
    void whoMeansAnotherServerSpoilsNothingForTheRest() throws IOException {
        try (Loopback net = new Loopback(this::answerUnlessStuck)) {
            PeerName there = TestHello.mds(1);
            ServerAddress right = net.address().of(there);
            ServerAddress wrong = net.address().of(PeerName.anyOf("another file system"));
            Transport good = share(net);
            Transport bad = share(net);
            List<CompletableFuture<Reply>> refused = new ArrayList<>();
            List<CompletableFuture<Reply>> answered = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                refused.add(bad.send(wrong, Loopback.stat("bad"), 20_000));
                answered.add(good.send(right, Loopback.stat("good"), 20_000));
            }
            for (CompletableFuture<Reply> reply : answered) {
                assertThat(Loopback.pathOf(Loopback.get(reply))).isEqualTo("good");
            }
            for (CompletableFuture<Reply> reply : refused) {
                assertThat(Loopback.get(reply).error()).isEqualTo(FsError.UNREACHABLE);
            }
        }
    }

    @Test
    void anIdleConnectionGoesAndNoCallIsLostToThat() throws IOException {
        try (Loopback net = new Loopback(this::answerUnlessStuck, Map.of("stead.rpc.client.idle", "10"))) {
            Transport client = share(net);
            for (int i = 0; i < 60; i++) {
                assertThat(Loopback.get(send(net, client, "path")).isOk()).isTrue();
                // Around the time at which the connection goes.
                LockSupport.parkNanos(9_000_000 + i * 40_000L);
            }
            Loopback.await("no connection", () -> net.server.connections() == 0);
            assertThat(Loopback.get(send(net, client, "further")).isOk()).isTrue();
            assertThat(executed).hasValue(61);
        }
    }

    /** What the server did not answer before it ends an idle connection was not done: so each call is done once. */
    @Test
    void aConnectionThatTheServerEndsLeavesNoDoubt() throws IOException {
        try (Loopback net = new Loopback(this::answerUnlessStuck, Map.of("stead.rpc.idle.timeout", "10"))) {
            Transport client = share(net);
            AtomicInteger answered = new AtomicInteger();
            AtomicInteger sent = new AtomicInteger();
            Loopback.await("many are answered", () -> {
                Reply reply = Loopback.get(send(net, client, "path"));
                assertThat(reply.error()).isIn(FsError.OK, FsError.UNAVAILABLE);
                // Around the time at which the connection goes.
                LockSupport.parkNanos(9_000_000 + sent.getAndIncrement() % 60 * 40_000L);
                return (reply.isOk() ? answered.incrementAndGet() : answered.get()) > 40;
            });
            Loopback.await("no connection", () -> net.server.connections() == 0);
            assertThat(executed).hasValue(answered.get());
        }
    }

    @Test
    void aServerThatStopsLeavesNoDoubtAboutWhatItDidNotBegin() throws Exception {
        try (Loopback net = new Loopback(this::answerUnlessStuck)) {
            Transport client = share(net);
            CompletableFuture<Reply> begun = send(net, client, "stuck");
            Loopback.await("at work", () -> stuck.size() == 1);
            Thread stopper = new Thread(net.server::close);
            stopper.start();
            CountDownLatch refused = new CountDownLatch(1);
            List<CompletableFuture<Reply>> later = new ArrayList<>();
            while (refused.getCount() > 0 && later.size() < 100_000) {
                CompletableFuture<Reply> reply = send(net, client, "later");
                later.add(reply);
                if (later.size() == 1_000) {
                    RequestHandler.Call call = stuck.remove();
                    call.reply(Loopback.answerTo(call));
                }
                var unused = reply.thenAccept(told -> {
                    if (!told.isOk()) {
                        refused.countDown();
                    }
                });
            }
            assertThat(Loopback.get(begun).isOk()).isTrue();
            int answered = 0;
            for (CompletableFuture<Reply> reply : later) {
                FsError told = Loopback.get(reply).error();
                assertThat(told).isIn(FsError.OK, FsError.UNAVAILABLE, FsError.UNREACHABLE, FsError.BUSY);
                answered += told == FsError.OK ? 1 : 0;
            }
            stopper.join();
            assertThat(executed).hasValue(answered);
        }
    }
}
