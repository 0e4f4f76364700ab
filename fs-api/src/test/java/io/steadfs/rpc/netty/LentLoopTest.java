package io.steadfs.rpc.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.client.call.Traces;
import io.steadfs.client.call.Waiting;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.rpc.EarlyCall;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.Waiter;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.StatReply;
import io.steadfs.wire.proto.StatRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who runs the event loop of a client: its own thread, or a caller that waits for a reply. */
class LentLoopTest {
    /** Calls whose path begins with "kept" are answered when the test says so. */
    private final Queue<RequestHandler.Call> kept = new ConcurrentLinkedQueue<>();

    private void answer(RequestHandler.Call call) {
        StatRequest asked = (StatRequest) call.request().body();
        if (asked.getLocation().getPath().startsWith("kept")) {
            kept.add(call);
        } else {
            call.reply(Loopback.answerTo(call));
        }
    }

    private void answerKept() {
        RequestHandler.Call call = kept.remove();
        call.reply(Loopback.answerTo(call));
    }

    /** A server, and a client whose event loops callers may run. */
    private static final class Net implements AutoCloseable {
        final Loopback server;
        final EventLoops loops;
        final NettyTransport transport;

        /** The own threads look so seldom that they notice nothing by themselves. */
        Net(RequestHandler handler, int threads) throws IOException {
            this(handler, threads, TimeUnit.HOURS.toMillis(1));
        }

        Net(RequestHandler handler, int threads, long lookMillis) throws IOException {
            server = new Loopback(handler);
            Settings settings = Settings.of(Map.of("stead.rpc.threads", Integer.toString(threads)));
            loops = EventLoops.openForCallers("test-client", settings, lookMillis);
            transport = new NettyTransport(loops, server.options, server.clientCounters, server.clock);
        }

        CompletableFuture<Reply> send(String path) {
            return send(server, path);
        }

        CompletableFuture<Reply> send(Loopback to, String path) {
            return transport.send(to.address(), Loopback.stat(path), 20_000);
        }

        /** Makes a blocking call. Returns the thread that took the reply. */
        Thread threadOfReply(String path) throws FsException {
            AtomicReference<Thread> thread = new AtomicReference<>();
            String answered = Waiting.on(
                    () -> send(path).thenApply(reply -> {
                        thread.set(Thread.currentThread());
                        return Loopback.pathOf(reply);
                    }),
                    "test",
                    Traces.WANTED);
            assertThat(answered).isEqualTo(path);
            return Objects.requireNonNull(thread.get());
        }

        boolean callerTakesReply() {
            try {
                return threadOfReply("a") == Thread.currentThread();
            } catch (FsException e) {
                throw new AssertionError(e);
            }
        }

        void awaitLent() {
            // A reply that is there already when the caller asks for it is taken by the caller in any case.
            Loopback.await("the caller takes its replies", () -> {
                int taken = 0;
                for (int i = 0; i < 20; i++) {
                    taken += callerTakesReply() ? 1 : 0;
                }
                return taken >= 15;
            });
        }

        @Override
        public void close() {
            transport.close();
            loops.close();
            server.close();
        }
    }

    /** Sends and waits as the blocking API does. */
    private static <T> T get(Supplier<CompletableFuture<T>> send) {
        try (Waiter waiter = Waiter.begin()) {
            CompletableFuture<T> outcome = send.get();
            waiter.runUntil(outcome);
            return Loopback.get(outcome);
        }
    }

    @Test
    void aCallerThatWaitsForEachReplyTakesItItself() throws IOException {
        try (Net net = new Net(this::answer, 1)) {
            net.awaitLent();
        }
    }

    @Test
    void repliesThatNobodyWaitsForAreTakenByTheOwnThread() throws IOException {
        try (Net net = new Net(this::answer, 1)) {
            for (int i = 0; i < 20; i++) {
                net.awaitLent();
                List<CompletableFuture<Reply>> replies = new ArrayList<>();
                for (int j = 0; j < 3; j++) {
                    replies.add(net.send("nobody waits"));
                }
                Loopback.await("answered", () -> replies.stream().allMatch(CompletableFuture::isDone));
            }
        }
    }

    @Test
    void aCallerThatLeavesARequestBehindLeavesItToTheOwnThread() throws IOException {
        try (Net net = new Net(this::answer, 1)) {
            for (int i = 0; i < 20; i++) {
                net.awaitLent();
                AtomicReference<CompletableFuture<Reply>> behind = new AtomicReference<>();
                get(() -> {
                    behind.set(net.send("kept"));
                    return net.send("a");
                });
                Loopback.await("received", () -> !kept.isEmpty());
                answerKept();
                Reply reply = Loopback.get(Objects.requireNonNull(behind.get()));
                assertThat(Loopback.pathOf(reply)).isEqualTo("kept");
            }
        }
    }

    /** A call, and one that is sent with its reply, before anybody waits for that. */
    private record Ahead(EarlyCall early, CompletableFuture<Thread> taker, CompletableFuture<Reply> reply) {
        /** Makes the first call at the one server, and sends the second to the other one. */
        static Ahead send(Net net, Loopback to, String path) {
            EarlyCall early = new EarlyCall(Kind.STAT);
            return get(() -> net.send("a").thenApply(unused -> {
                CompletableFuture<Reply> reply = early.send(() -> net.send(to, path));
                return new Ahead(early, reply.thenApply(value -> Thread.currentThread()), reply);
            }));
        }

        /** Waits as a read of a file does whose bytes are being fetched already. Returns the thread that took the reply. */
        Thread await() {
            return get(() -> {
                early.want();
                return taker;
            });
        }
    }

    private static void assertTakenByCaller(Net net, Loopback to) {
        net.awaitLent();
        Loopback.await("the caller takes the replies", () -> {
            int taken = 0;
            for (int i = 0; i < 20; i++) {
                taken += Ahead.send(net, to, "b").await() == Thread.currentThread() ? 1 : 0;
            }
            return taken >= 15;
        });
    }

    @Test
    void aCallerThatWaitsLaterForWhatItHasSentTakesTheReplyItself() throws IOException {
        try (Net net = new Net(this::answer, 1)) {
            assertTakenByCaller(net, net.server);
        }
    }

    @Test
    void aCallerThatWaitsLaterAtAnotherEventLoopTakesTheReplyItself() throws IOException {
        try (Net net = new Net(this::answer, 2);
                Loopback second = new Loopback(this::answer)) {
            assertTakenByCaller(net, second);
        }
    }

    /** The own thread may be slow to send what is early, and may take the reply before anybody wants it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEventLoopThatSendsOnlyEarlyCallsIsLent(boolean isAnsweredFirst) throws Exception {
        try (Net net = new Net(this::answer, 2);
                Loopback second = new Loopback(this::answer)) {
            net.awaitLent();
            CompletableFuture<Reply> connected = net.send(second, "kept");
            Loopback.await("received", () -> !kept.isEmpty());
            LentLoop loop = Stream.of(net.loops.next(), net.loops.next())
                    .filter(one -> one.expected().get() > 0)
                    .findAny()
                    .orElseThrow();
            answerKept();
            assertThat(Loopback.get(connected).isOk()).isTrue();
            Loopback.await("lent", () -> {
                if (loop.isLent()) {
                    return true;
                }
                CountDownLatch ownThreadGoesOn = new CountDownLatch(1);
                loop.execute(() -> Loopback.await("goes on", () -> ownThreadGoesOn.getCount() == 0));
                Ahead ahead = Ahead.send(net, second, "b");
                ownThreadGoesOn.countDown();
                if (isAnsweredFirst) {
                    Loopback.await("answered, unless lent", () -> ahead.reply.isDone() || loop.isLent());
                }
                assertThat(ahead.await()).isNotNull();
                return false;
            });
        }
    }

    @Test
    void aReplyThatNobodyWaitsForYetIsTakenByTheNextCaller() throws IOException {
        try (Net net = new Net(this::answer, 1)) {
            LentLoop loop = net.loops.next();
            for (int i = 0; i < 20; i++) {
                net.awaitLent();
                Loopback.await("lent", () -> net.callerTakesReply() && loop.isLent());
                Ahead ahead = Ahead.send(net, net.server, "kept");
                Loopback.await("received", () -> !kept.isEmpty());
                assertThat(net.callerTakesReply())
                        .as("the event loop is still lent")
                        .isTrue();
                answerKept();
                Loopback.await("taken", () -> net.callerTakesReply() && ahead.reply.isDone());
                assertThat(ahead.taker.join()).isEqualTo(Thread.currentThread());
                ahead.early.want();
            }
        }
    }

    /** Whoever has the file now reads from it without waiting, or waits on a thread that did not open it. */
    @Test
    void aReplyThatSomebodyWantsNowIsTaken() throws Exception {
        try (Net net = new Net(this::answer, 1)) {
            for (int i = 0; i < 20; i++) {
                net.awaitLent();
                Ahead first = Ahead.send(net, net.server, "b");
                first.early.want();
                assertThat(Loopback.get(first.reply).isOk()).isTrue();

                net.awaitLent();
                Ahead second = Ahead.send(net, net.server, "c");
                FutureTask<Thread> task = new FutureTask<>(second::await);
                new Thread(task, "another").start();
                assertThat(task.get(20, TimeUnit.SECONDS)).isNotNull();
            }
        }
    }

    @Test
    void aReplyThatNobodyWantsIsTakenByTheOwnThreadAfterAWhile() throws Exception {
        try (Net net = new Net(this::answer, 1, LentLoop.LOOK_MILLIS)) {
            net.awaitLent();
            Ahead ahead = Ahead.send(net, net.server, "b");
            assertThat(Loopback.get(ahead.reply).isOk()).isTrue();
        }
    }

    /** Otherwise the event loop would not see that a later reply is to come, or see one that is not. */
    @Test
    void anEarlyCallThatIsAnsweredOrLostIsNotCountedAnyMore() throws Exception {
        try (Net net = new Net(this::answer, 1)) {
            LentLoop loop = net.loops.next();
            net.awaitLent();
            Ahead answered = Ahead.send(net, net.server, "b");
            Loopback.await("taken", () -> net.callerTakesReply() && answered.reply.isDone());
            assertThat(loop.early()).isZero();

            Ahead givenUp = Ahead.send(net, net.server, "kept");
            Loopback.await("received", () -> !kept.isEmpty());
            givenUp.reply.cancel(true);
            answerKept();
            Loopback.await(
                    "taken",
                    () -> net.callerTakesReply()
                            && loop.early() == 0
                            && loop.expected().get() == 0);

            Ahead lost = Ahead.send(net, net.server, "kept");
            Loopback.await("received", () -> !kept.isEmpty());
            net.transport.close();
            assertThat(Loopback.get(lost.reply).error()).isEqualTo(FsError.CONNECTION_LOST);
            Loopback.await(
                    "not counted", () -> loop.early() == 0 && loop.expected().get() == 0);
            lost.early.want();
            assertThat(loop.early()).isZero();
            kept.remove().reply(Reply.ok(StatReply.getDefaultInstance()));
        }
    }

    @Test
    void onlyTheFirstOfTwoRequestsIsEarlySoTheOwnThreadTakesBoth() throws Exception {
        try (Net net = new Net(this::answer, 1)) {
            for (int i = 0; i < 20; i++) {
                net.awaitLent();
                List<CompletableFuture<Reply>> both = get(() -> net.send("a")
                        .thenApply(
                                unused -> new EarlyCall(Kind.STAT).send(() -> List.of(net.send("b"), net.send("c")))));
                for (CompletableFuture<Reply> reply : both) {
                    assertThat(Loopback.get(reply).isOk()).isTrue();
                }
            }
        }
    }

    @Test
    void anInterruptEndsTheWaitOfACallerThatRunsTheEventLoop() throws Exception {
        try (Net net = new Net(this::answer, 1, LentLoop.LOOK_MILLIS)) {
            FutureTask<Boolean> task = new FutureTask<>(() -> {
                net.awaitLent();
                assertThatThrownBy(() -> net.threadOfReply("kept"))
                        .isInstanceOfSatisfying(
                                FsException.class, e -> assertThat(e.error()).isEqualTo(FsError.CANCELLED));
                return Thread.interrupted();
            });
            Thread caller = new Thread(task, "caller");
            caller.start();
            Loopback.await("received", () -> !kept.isEmpty());
            caller.interrupt();
            assertThat(task.get(20, TimeUnit.SECONDS)).as("the flag is kept").isTrue();
            answerKept();
            net.awaitLent();
        }
    }

    @Test
    void aCallerWithAnInterruptDoesNotWait() throws Exception {
        try (Net net = new Net(this::answer, 1)) {
            net.awaitLent();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> net.threadOfReply("kept"))
                    .isInstanceOfSatisfying(
                            FsException.class, e -> assertThat(e.error()).isEqualTo(FsError.CANCELLED));
            assertThat(Thread.interrupted()).isTrue();
            Loopback.await("the caller takes its replies", () -> {
                // Whether the request was written before the caller gave it up, depends on the own thread.
                if (!kept.isEmpty()) {
                    answerKept();
                }
                return net.callerTakesReply();
            });
        }
    }

    /** The reply takes longer than a caller may have the event loop. Its own thread then takes other replies too. */
    @Test
    void aLongWaitGivesTheEventLoopBack() throws Exception {
        try (Net net = new Net(this::answer, 1, LentLoop.LOOK_MILLIS)) {
            FutureTask<Thread> task = new FutureTask<>(() -> {
                net.awaitLent();
                return net.threadOfReply("kept for long");
            });
            Thread caller = new Thread(task, "caller");
            caller.start();
            Loopback.await("received", () -> !kept.isEmpty());
            Loopback.await(
                    "the own thread has the event loop",
                    () -> Loopback.get(net.send("b").thenApply(reply -> Thread.currentThread()))
                            .getName()
                            .startsWith("test-client"));
            answerKept();
            assertThat(task.get(20, TimeUnit.SECONDS).getName()).startsWith("test-client");
        }
    }

    @Test
    void requestsByTwoEventLoopsOneAfterAnotherAreTakenByTheCaller() throws IOException {
        try (Net net = new Net(this::answer, 2);
                Loopback second = new Loopback(this::answer)) {
            Thread me = Thread.currentThread();
            Loopback.await("the caller takes both replies", () -> {
                AtomicReference<Thread> first = new AtomicReference<>();
                Thread last = get(() -> net.send("a").thenCompose(reply -> {
                    first.set(Thread.currentThread());
                    return net.send(second, "b").thenApply(answer -> Thread.currentThread());
                }));
                return last == me && first.get() == me;
            });
        }
    }

    @Test
    void aFutureThatAnotherThreadCompletesEndsTheWaitOfACallerThatRunsTheEventLoop() throws Exception {
        try (Net net = new Net(this::answer, 1)) {
            CompletableFuture<String> outcome = new CompletableFuture<>();
            FutureTask<String> task = new FutureTask<>(() -> {
                net.awaitLent();
                return get(() -> {
                    var unused = net.send("kept");
                    return outcome;
                });
            });
            new Thread(task, "caller").start();
            Loopback.await("received", () -> !kept.isEmpty());
            outcome.complete("by another");
            assertThat(task.get(20, TimeUnit.SECONDS)).isEqualTo("by another");
            answerKept();
            net.awaitLent();
        }
    }

    @Test
    void manyThreadsThatWaitAndThatDoNotAreAllAnswered() throws Exception {
        try (Net net = new Net(this::answer, 2)) {
            List<FutureTask<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int number = i;
                FutureTask<Integer> task = new FutureTask<>(() -> {
                    int answers = 0;
                    for (int j = 0; j < 1_000; j++) {
                        // Some threads are alone for a while, so that the event loop is lent and called back often.
                        if (number == 0 && j % 2 == 0) {
                            Ahead.send(net, net.server, number + " " + j).await();
                        } else if (number < 2 || j % 100 < 20) {
                            net.threadOfReply(number + " " + j);
                        } else {
                            Loopback.get(net.send(number + " " + j));
                        }
                        answers++;
                    }
                    return answers;
                });
                tasks.add(task);
                new Thread(task, "caller " + i).start();
            }
            for (FutureTask<Integer> task : tasks) {
                assertThat(task.get(60, TimeUnit.SECONDS)).isEqualTo(1_000);
            }
            net.awaitLent();
        }
    }

    /** Returns when the server has the request. The task gives the error of its reply. */
    private FutureTask<FsError> callerThatWaits(Net net) {
        FutureTask<FsError> task = new FutureTask<>(() -> {
            net.awaitLent();
            return get(() -> net.send("kept")).error();
        });
        new Thread(task, "caller").start();
        Loopback.await("received", () -> !kept.isEmpty());
        return task;
    }

    @Test
    void aCloseEndsTheCallOfACallerThatRunsTheEventLoop() throws Exception {
        try (Net net = new Net(this::answer, 1)) {
            FutureTask<FsError> task = callerThatWaits(net);
            net.transport.close();
            assertThat(task.get(20, TimeUnit.SECONDS)).isEqualTo(FsError.CONNECTION_LOST);
            kept.remove().reply(Reply.ok(StatReply.getDefaultInstance()));
        }
    }

    /** The caller sees the end first, so it knows that nobody has executed its request. */
    @Test
    void aCallerDoesNotWriteToAConnectionThatHasEnded() throws Exception {
        try (Net net = new Net(this::answer, 1)) {
            Loopback second = new Loopback(this::answer, Loopback.QUICK_STOP);
            assertThat(get(() -> net.send(second, "a")).isOk()).isTrue();
            net.awaitLent();
            second.close();
            Reply reply = get(() -> net.send(second, "b"));
            assertThat(reply.error()).isEqualTo(FsError.UNREACHABLE);
        }
    }

    @Test
    void aConnectionThatNobodyWaitsForIsMadeByTheOwnThread() throws Exception {
        List<Loopback> others = new ArrayList<>();
        try (Net net = new Net(this::answer, 1)) {
            for (int i = 0; i < 20; i++) {
                Loopback other = new Loopback(this::answer);
                others.add(other);
                net.awaitLent();
                AtomicReference<CompletableFuture<Reply>> behind = new AtomicReference<>();
                get(() -> {
                    behind.set(net.send(other, "b"));
                    return net.send("a");
                });
                Reply reply = Loopback.get(Objects.requireNonNull(behind.get()));
                assertThat(Loopback.pathOf(reply)).isEqualTo("b");
            }
        }
        others.forEach(Loopback::close);
    }

    @Test
    void aBlockingCallWhileAThreadReceivesRepliesIsAnError() throws Exception {
        try (Net net = new Net(this::answer, 1)) {
            for (int i = 0; i < 2; i++) {
                AtomicReference<Throwable> failure = new AtomicReference<>();
                get(() -> net.send("a").thenApply(reply -> {
                    try {
                        net.threadOfReply("b");
                    } catch (IllegalStateException | FsException e) {
                        failure.set(e);
                    }
                    return reply;
                }));
                assertThat(failure.get())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("the call would wait for ever");
                // First on the own thread, then on the caller's.
                net.awaitLent();
            }
            assertThat(net.threadOfReply("b")).isEqualTo(Thread.currentThread());
        }
    }

    /** An application with a recursion that has no end makes a call in each step. */
    @Test
    void aCallerWhoseStackIsFullDoesNotSpoilTheEventLoop() throws Exception {
        try (Net net = new Net(this::answer, 1)) {
            FutureTask<Boolean> task = new FutureTask<>(() -> {
                net.awaitLent();
                try {
                    callsForEver(net, 0);
                    return false;
                } catch (StackOverflowError e) {
                    return true;
                }
            });
            new Thread(null, task, "deep", 256 << 10).start();
            assertThat(task.get(60, TimeUnit.SECONDS)).isTrue();
            net.awaitLent();
        }
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int callsForEver(Net net, int depth) throws FsException {
        net.threadOfReply("deep");
        return 1 + callsForEver(net, depth + 1);
    }

    /** The own thread must not sleep once more, because the wake-up for the end is used up. */
    @Test
    void eventLoopsEndWhileACallerRunsOne() throws Exception {
        try (Net net = new Net(this::answer, 1)) {
            FutureTask<FsError> task = callerThatWaits(net);
            net.loops.close();
            assertThat(net.loops.isOver()).isTrue();
            assertThat(task.get(20, TimeUnit.SECONDS)).isEqualTo(FsError.CONNECTION_LOST);
            kept.remove().reply(Reply.ok(StatReply.getDefaultInstance()));
        }
    }

    /** Each sixth call is one that its thread does not wait for at once, such as a read of a long file. */
    @Test
    void anEventLoopThatIsCalledBackEachTimeIsLentSeldom() throws Exception {
        try (Net net = new Net(this::answer, 1)) {
            int waits = 0;
            for (int i = 0; i < 400; i++) {
                for (int j = 0; j < 5; j++) {
                    get(() -> net.send("a"));
                    waits++;
                }
                Loopback.get(net.send("b"));
            }
            assertThat(waits).isEqualTo(2_000);
            assertThat(net.loops.next().taken()).isLessThan(100);
        }
    }

    @Test
    void lentEventLoopsEndAtOnce() throws IOException {
        Net net = new Net(this::answer, 2);
        net.awaitLent();
        net.close();
        assertThat(net.loops.isOver()).isTrue();
    }
}
