package io.steadfs.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.steadfs.client.AsyncSteadFs;
import io.steadfs.client.SimulatedCluster;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.ContentSummary;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ContentSummaryRequest;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is sent again, under which id, and what a caller hears when nothing is answered. */
class RetriesTest {
    /** What becomes of one request of the kind under test. */
    private enum Fate {
        /** Executed, but the answer is lost. */
        ANSWER_LOST,
        /** Refused as busy. */
        BUSY,
        /** Refused as not the owner. */
        NOT_OWNER,
        EXPIRED
    }

    /** A transport that plays tricks on requests of one kind, in order, and remembers their headers. */
    private static final class Tricks implements Transport {
        private final Transport transport;
        private final SimulatedTime time;
        private final Kind kind;
        private final Deque<Fate> fates = new ArrayDeque<>();
        private boolean ever;
        private final List<RequestHeader> headers = new ArrayList<>();
        private Runnable beforeExpired = () -> {};

        Tricks(Transport transport, SimulatedTime time, Kind kind, Fate... fates) {
            this.transport = transport;
            this.time = time;
            this.kind = kind;
            this.fates.addAll(List.of(fates));
        }

        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            if (request.kind() != kind) {
                return transport.send(server, request, timeoutMillis);
            }
            headers.add(request.header());
            Fate fate = ever ? fates.peek() : fates.poll();
            if (fate == null) {
                return transport.send(server, request, timeoutMillis);
            }
            return switch (fate) {
                case ANSWER_LOST ->
                    transport
                            .send(server, request, timeoutMillis)
                            .thenCompose(reply -> answerLater(kind, FsError.TIMED_OUT, timeoutMillis));
                case BUSY -> refused(request, FsError.BUSY);
                case NOT_OWNER -> refused(request, FsError.NOT_OWNER);
                case EXPIRED -> {
                    beforeExpired.run();
                    yield transport.send(server, request, timeoutMillis);
                }
            };
        }

        private CompletableFuture<Reply> refused(Request request, FsError error) {
            request.payload().release();
            return answerLater(request.kind(), error, 1);
        }

        private CompletableFuture<Reply> answerLater(Kind answered, FsError error, long millis) {
            CompletableFuture<Reply> later = new CompletableFuture<>();
            time.after(millis, () -> later.complete(Reply.refused(answered, error, "a trick")));
            return later;
        }

        @Override
        public void close() {}
    }

    private final SimulatedCluster cluster = SimulatedCluster.calm(2);

    private AsyncSteadFs client(Tricks tricks, Map<String, String> settings) {
        return new AsyncSteadFs(
                tricks,
                cluster.time,
                cluster.time,
                new Random(5),
                Settings.of(settings),
                List.of(SimulatedCluster.SHARD),
                Caller.newBuilder().setUser("ann").build());
    }

    private Tricks tricks(Kind kind, Fate... fates) {
        return new Tricks(cluster.network.client("tricked"), cluster.time, kind, fates);
    }

    private CompletableFuture<StripedWriter> create(AsyncSteadFs fs) throws FsException {
        return fs.writes().create(FsPath.parse("f"), CreateOptions.DEFAULT);
    }

    private static FsException refusal(ThrowingCallable call) {
        return catchThrowableOfType(FsException.class, call);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"ANSWER_LOST", "BUSY", "NOT_OWNER"})
    void aRetryKeepsItsRequestIdAndIsExecutedOnce(Fate fate) throws Exception {
        Tricks tricks = tricks(Kind.CREATE, fate, fate);
        AsyncSteadFs fs = client(tricks, Map.of());

        cluster.await(create(fs));

        assertThat(tricks.headers).hasSize(3);
        assertThat(tricks.headers).extracting(RequestHeader::getRequestId).containsOnly(1L);
        assertThat(tricks.headers)
                .extracting(RequestHeader::getTraceId)
                .containsOnly(tricks.headers.get(0).getTraceId());
        assertThat(cluster.shard.executed).containsEntry(Kind.CREATE, 1);
        assertThat(fs.counters()).containsEntry("client.retries", 2L);
    }

    @Test
    void idsRiseAndTheLowestUnansweredFollows() throws Exception {
        Tricks tricks = tricks(Kind.CREATE, Fate.ANSWER_LOST);
        AsyncSteadFs fs = client(tricks, Map.of());
        CompletableFuture<StripedWriter> slow = create(fs);
        cluster.time.runFor(10);
        cluster.await(fs.writes().create(FsPath.parse("g"), CreateOptions.DEFAULT));
        cluster.await(slow);
        cluster.await(fs.writes().create(FsPath.parse("h"), CreateOptions.DEFAULT));
        assertThat(tricks.headers).extracting(RequestHeader::getRequestId).containsExactly(1L, 2L, 1L, 3L);
        assertThat(tricks.headers)
                .extracting(RequestHeader::getLowestUnanswered)
                .containsExactly(1L, 1L, 1L, 3L);
    }

    @Test
    void anUnknownOutcomeIsSaid() {
        Tricks tricks = tricks(Kind.CREATE, Fate.ANSWER_LOST);
        tricks.ever = true;
        AsyncSteadFs fs = client(tricks, Map.of());
        long before = cluster.time.monotonicNanos();
        FsException refusal = refusal(() -> cluster.await(create(fs)));
        assertThat(refusal.error()).isEqualTo(FsError.TIMED_OUT);
        assertThat(refusal).hasMessageContaining("/f").hasMessageContaining("whether it was done is not known");
        long seconds = (cluster.time.monotonicNanos() - before) / 1_000_000_000;
        assertThat(seconds).isBetween(90L, 121L);
    }

    @Test
    void aKnownOutcomeIsSaidToo() {
        Tricks tricks = tricks(Kind.CREATE, Fate.BUSY);
        tricks.ever = true;
        FsException refusal =
                refusal(() -> cluster.await(create(client(tricks, Map.of("stead.client.operation.timeout", "5000")))));
        assertThat(refusal.error()).isEqualTo(FsError.BUSY);
        assertThat(refusal).hasMessageContaining("not done in time").hasMessageContaining("a trick");
    }

    @Test
    void nobodyThere() {
        AsyncSteadFs fs = new AsyncSteadFs(
                cluster.network.client("lost"),
                cluster.time,
                cluster.time,
                new Random(1),
                Settings.of(Map.of("stead.client.operation.timeout", "3000")),
                List.of(new ServerAddress("nowhere", 9), new ServerAddress("nirgends", 9)),
                Caller.getDefaultInstance());
        FsException refusal = refusal(() -> cluster.await(fs.attributes().stat(FsPath.parse("f"))));
        assertThat(refusal.error()).isEqualTo(FsError.UNREACHABLE);
        assertThat(refusal).hasMessageContaining("nowhere:9").hasMessageContaining("nirgends:9");
    }

    @Test
    void anExpiredSessionIsReplacedWhereNothingIsDoubtful() throws Exception {
        Tricks tricks = tricks(Kind.CREATE, Fate.EXPIRED);
        tricks.beforeExpired = cluster.shard::expireSessions;
        AsyncSteadFs fs = client(tricks, Map.of());
        cluster.await(create(fs));
        assertThat(tricks.headers).hasSize(2);
        assertThat(tricks.headers.get(0).getSession())
                .isNotEqualTo(tricks.headers.get(1).getSession());
        assertThat(tricks.headers.get(1).getRequestId()).isEqualTo(1);
        assertThat(cluster.shard.executed).containsEntry(Kind.CREATE, 1);
    }

    @Test
    void aDoubtfulRequestIsNotRepeatedUnderANewSession() throws Exception {
        Tricks tricks = tricks(Kind.CREATE, Fate.ANSWER_LOST, Fate.EXPIRED);
        tricks.beforeExpired = cluster.shard::expireSessions;
        AsyncSteadFs fs = client(tricks, Map.of());
        FsException refusal = refusal(() -> cluster.await(create(fs)));
        assertThat(refusal.error()).isEqualTo(FsError.SESSION_EXPIRED);
        assertThat(refusal).hasMessageContaining("whether it was done is not known");
        assertThat(cluster.shard.executed).containsEntry(Kind.CREATE, 1);
        cluster.await(fs.writes().create(FsPath.parse("g"), CreateOptions.DEFAULT));
        assertThat(cluster.shard.sessions).as("the next change opens another").hasSize(1);
    }

    @Test
    void aWriterOfAnExpiredSessionFailsForGood() throws Exception {
        StripedWriter writer = cluster.create("f", 1, SimulatedCluster.STRIP);
        cluster.write(writer, new byte[10]);
        cluster.shard.expireSessions();
        assertThat(refusal(() -> cluster.await(writer.close())).error()).isEqualTo(FsError.SESSION_EXPIRED);
        assertThat(refusal(() -> writer.append(new byte[1], 0, 1)).error()).isEqualTo(FsError.SESSION_EXPIRED);
        assertThat(cluster.shard.sessions).isEmpty();
    }

    @Test
    void aSessionIsRenewedAtAThirdOfItsDuration() throws Exception {
        cluster.create("f", 1, SimulatedCluster.STRIP);
        cluster.time.runFor(95_000);
        assertThat(cluster.shard.sessions.values())
                .singleElement()
                .satisfies(row -> assertThat(row.renewals).isEqualTo(9));
        cluster.await(cluster.fs.close());
        cluster.time.runFor(95_000);
        assertThat(cluster.shard.kinds.stream().filter(Kind.RENEW_SESSION::equals))
                .hasSize(9);
    }

    /** A restarted shard waits for claims, whatever becomes of the home shard of the session. */
    @Test
    void claimsAreSentAlsoWhileNoRenewalIsAnswered() throws Exception {
        cluster.create("f", 1, SimulatedCluster.STRIP);
        cluster.shard.silent.add(Kind.RENEW_SESSION);
        cluster.time.runFor(95_000);
        assertThat(cluster.shard.kinds.stream().filter(Kind.CLAIM_FILES::equals))
                .hasSize(9);
        cluster.await(cluster.fs.close());
        cluster.time.runFor(95_000);
        assertThat(cluster.shard.kinds.stream().filter(Kind.CLAIM_FILES::equals))
                .hasSize(9);
    }

    @Test
    void aNewerEpochFetchesTheMap() throws Exception {
        cluster.create("f", 1, SimulatedCluster.STRIP);
        assertThat(cluster.shard.maps).isEqualTo(1);
        cluster.shard.map = SimulatedCluster.map(2, 3);
        cluster.create("g", 1, SimulatedCluster.STRIP);
        cluster.time.runFor(100);
        assertThat(cluster.shard.maps).isEqualTo(2);
        cluster.create("h", 1, SimulatedCluster.STRIP);
        cluster.time.runFor(100);
        assertThat(cluster.shard.maps).isEqualTo(2);
    }

    @Test
    void aServerThatMovedIsFound() throws Exception {
        byte[] bytes = SimulatedCluster.bytes(1, 1000);
        cluster.file("f", 1, SimulatedCluster.STRIP, bytes);
        ServerAddress moved = new ServerAddress("elsewhere", 7);
        cluster.network.crash(SimulatedCluster.ioAddress(1));
        cluster.network.start(moved, cluster.io.get(0));
        ClusterMap.Builder map = SimulatedCluster.map(2, 2).toBuilder();
        for (ClusterMap.Server.Builder server : map.getServersBuilderList()) {
            if (server.getRole() == ClusterMap.Role.IO && server.getId() == 1) {
                server.setHost(moved.host()).setPort(moved.port());
            }
        }
        cluster.shard.map = map.build();
        assertThat(cluster.read("f")).isEqualTo(bytes);
    }

    @Test
    void anOperationThatGoesByTheMapAsksForItAgain() throws Exception {
        cluster.network.cut("client", SimulatedCluster.SHARD);
        CompletableFuture<ContentSummary> summary = cluster.fs.lists().contentSummary(FsPath.ROOT);
        cluster.time.runFor(3_000);
        assertThat(summary).isNotDone();
        cluster.network.heal("client", SimulatedCluster.SHARD);
        assertThat(cluster.await(summary).files()).isZero();
    }

    @Test
    void aMapThatNobodyGivesFailsTheOperationInTime() throws Exception {
        cluster.network.cut("client", SimulatedCluster.SHARD);
        CompletableFuture<ContentSummary> summary = cluster.fs.lists().contentSummary(FsPath.ROOT);
        CompletableFuture<FileInfo> stat = cluster.fs.attributes().stat(FsPath.parse("f"));
        cluster.time.runFor(8_000);
        CompletableFuture<FileInfo> later = cluster.fs.attributes().stat(FsPath.parse("g"));
        cluster.time.runFor(2_000);
        assertThat(summary).isDone();
        assertThat(stat).isDone();
        assertThat(later).isNotDone();
        assertThat(refusal(() -> cluster.await(summary)).error()).isEqualTo(FsError.UNREACHABLE);
        assertThat(refusal(() -> cluster.await(stat)))
                .hasMessageStartingWith("UNREACHABLE: /f: no metadata server answers; tried " + SimulatedCluster.SHARD);
        cluster.time.runFor(8_000);
        assertThat(later).isDone();
    }

    @Test
    void aFileSystemThatWasReachedIsWaitedFor() throws Exception {
        cluster.await(cluster.fs.clusterMap());
        cluster.network.cut("client", SimulatedCluster.SHARD);
        CompletableFuture<FileInfo> stat = cluster.fs.attributes().stat(FsPath.ROOT);
        cluster.time.runFor(40_000);
        assertThat(stat).isNotDone();
        cluster.network.heal("client", SimulatedCluster.SHARD);
        assertThat(refusal(() -> cluster.await(stat)).error()).isEqualTo(FsError.NOT_FOUND);
    }

    @Test
    void cancellingEndsTheTries() throws Exception {
        MemoryNetwork network = cluster.network;
        cluster.create("f", 1, SimulatedCluster.STRIP);
        network.cut("client", SimulatedCluster.SHARD);
        CompletableFuture<FileInfo> stat = cluster.fs.attributes().stat(FsPath.parse("f"));
        cluster.time.runFor(10);
        stat.cancel(true);
        long sent = cluster.sent(Kind.STAT);
        cluster.time.runFor(100_000);
        assertThat(cluster.sent(Kind.STAT)).isEqualTo(sent);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "OK, SETTLED",
        "NOT_FOUND, SETTLED",
        "STALE_GENERATION, SETTLED",
        "CORRUPT, SETTLED",
        "NO_SPACE, SETTLED",
        "SESSION_EXPIRED, SETTLED",
        "BUSY, AGAIN",
        "UNAVAILABLE, AGAIN",
        "TIMED_OUT, AGAIN",
        "CONNECTION_LOST, AGAIN",
        "UNREACHABLE, AGAIN",
        "UNKNOWN_HOST, AGAIN",
        "NOT_STEADFS, AGAIN",
        "CANCELLED, AGAIN",
        "NO_MEMORY, AGAIN",
        "STALE_EPOCH, REFRESH_THEN_AGAIN",
        "NOT_OWNER, REFRESH_THEN_AGAIN",
        "CONTINUE, GO_ON_ELSEWHERE",
        "WRONG_PARTITION, GO_ON_ELSEWHERE",
        "STALE_START, FROM_THE_ROOT"
    })
    void theRule(FsError error, RetryRule.Verdict verdict) {
        assertThat(RetryRule.verdict(error)).isEqualTo(verdict);
    }

    @Test
    void whatGrowsWithATreeHasTheWholeTimeForOneTry() {
        RetryRule rule = new RetryRule(Settings.defaults(), new Random(3));
        DeleteRequest plain = DeleteRequest.getDefaultInstance();
        DeleteRequest recursive = plain.toBuilder().setRecursive(true).build();
        assertThat(rule.attemptMillis(plain, 0)).isEqualTo(15_000);
        assertThat(rule.attemptMillis(recursive, 0)).isEqualTo(120_000);
        assertThat(rule.attemptMillis(ContentSummaryRequest.getDefaultInstance(), 20_000_000_000L))
                .isEqualTo(100_000);
        assertThat(rule.attemptMillis(recursive, 120_000_000_000L)).isEqualTo(1);
    }

    @Test
    void aRecursiveDeleteIsNotSentAgainWhileItsTreeIsChecked() {
        Tricks tricks = tricks(Kind.DELETE, Fate.ANSWER_LOST);
        tricks.ever = true;
        AsyncSteadFs fs = client(tricks, Map.of());
        assertThat(refusal(() -> cluster.await(fs.names().delete(FsPath.parse("d"), true)))
                        .error())
                .isEqualTo(FsError.TIMED_OUT);
        assertThat(tricks.headers)
                .singleElement()
                .satisfies(header -> assertThat(header.getDeadlineMillis()).isBetween(110_000, 120_000));
    }

    @Test
    void pausesDoubleUpToTheMost() {
        RetryRule rule = new RetryRule(Settings.defaults(), new Random(3));
        for (int i = 0; i < 100; i++) {
            assertThat(rule.pauseMillis(1)).isBetween(5L, 10L);
            assertThat(rule.pauseMillis(4)).isBetween(40L, 80L);
            assertThat(rule.pauseMillis(1_000)).isBetween(1_000L, 2_000L);
        }
    }
}
