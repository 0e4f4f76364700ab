package io.steadfs.it.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.admin.StatusOf;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.local.ProcessCluster;
import io.steadfs.client.SteadClient;
import io.steadfs.client.list.ContentSummary;
import io.steadfs.client.list.FileInfo;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.hello.Introduction;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.path.FsPath;
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
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * One user opens connections that stand still, idle ones and sessions, and asks for content summaries, all at once; another
 * user's stat is timed before and in each phase, in one run, on servers in processes of their own. Prints a table.
 * {@code -Dstead.crowd.percent=} says how much of it, the profile "crowd" all. Each process needs 16,000 open files (ulimit -n).
 */
@DisabledIfSystemProperty(named = "stead.crowd.percent", matches = "0", disabledReason = "only by profile \"crowd\"")
@Timeout(1800)
class CrowdTest {
    private static final int PERCENT = Integer.getInteger("stead.crowd.percent", 0);
    private static final int HALF_OPEN = 2_000 * PERCENT / 100;
    private static final int IDLE = 10_000 * PERCENT / 100;
    private static final int SESSIONS = 100_000 * PERCENT / 100;
    private static final int SUMMARIES = 400 * PERCENT / 100;
    private static final int TREE = 20_000 * PERCENT / 100;
    private static final int SESSIONS_IN_FLIGHT = 256;
    private static final long PHASE_NANOS = 10_000_000_000L;

    private final Path directory;

    CrowdTest(@TempDir Path directory) {
        this.directory = directory.resolve("cluster");
    }

    @Test
    void anotherUsersStatGoesOn() throws Exception {
        say("| phase | stats | p50 ms | p99 ms | longest ms | connections open | refused | sessions |");
        say("|---|---|---|---|---|---|---|---|");
        try (ProcessCluster cluster = ProcessCluster.in(directory)
                        .mds(1)
                        .ioServers(1)
                        .set("stead.rpc.connections.max", "16000")
                        .set("stead.rpc.connections.user.max", "16000")
                        .start();
                Connections connections = Connections.ofOperator();
                Connection operator = connections.open(new SteadUri(cluster.address()));
                SteadClient other = client(cluster, "other");
                SteadClient crowd = client(cluster, "crowd");
                RawConnections standing = new RawConnections(cluster.address(), 1);
                RawConnections idle = new RawConnections(cluster.address(), 11)) {
            FsPath file = FsPath.parse("/other/directory");
            operator.fs().mkdirs(FsPath.parse("/other"), 0777, true, false);
            operator.fs().mkdirs(FsPath.parse("/crowd"), 0777, true, false);
            other.mkdirs(file, 0755, true, false);
            makeTree(crowd);

            phase("before", operator, cluster, other, file, () -> true);
            standing.halfOpen(HALF_OPEN);
            phase(HALF_OPEN + " that send 64 KiB of a frame and stop", operator, cluster, other, file, () -> true);
            idle.idle(IDLE);
            phase("and " + IDLE + " idle ones", operator, cluster, other, file, () -> true);
            Map<FsError, Integer> sessions = sessions(cluster.address(), operator, cluster, other, file);
            standing.halfOpen(HALF_OPEN);
            List<CompletableFuture<ContentSummary>> summaries = new ArrayList<>();
            for (int i = 0; i < SUMMARIES; i++) {
                summaries.add(crowd.async().lists().contentSummary(FsPath.parse("/crowd")));
            }
            phase(
                    "and " + SUMMARIES + " content summaries of " + TREE + " entries, and the frames again",
                    operator,
                    cluster,
                    other,
                    file,
                    () -> summaries.stream().allMatch(CompletableFuture::isDone));
            for (CompletableFuture<ContentSummary> summary : summaries) {
                assertThat(summary.join().directories()).isEqualTo(TREE + 1L);
            }
            standing.leave();
            idle.leave();
            phase("after", operator, cluster, other, file, () -> true);
            say("");
            say("Sessions asked for by one user: " + SESSIONS + ", answered: " + sessions);
        }
    }

    private static SteadClient client(ProcessCluster cluster, String user) {
        return SteadClient.connect(
                Settings.defaults(),
                List.of(cluster.address()),
                Caller.newBuilder().setUser(user).build());
    }

    private static void makeTree(SteadClient crowd) throws InterruptedException, IOException {
        Semaphore room = new Semaphore(200);
        List<CompletableFuture<FileInfo>> made = new ArrayList<>();
        for (int i = 0; i < TREE; i++) {
            room.acquire();
            CompletableFuture<FileInfo> one =
                    crowd.async().names().mkdirs(FsPath.parse("/crowd/d" + i), 0755, false, false);
            made.add(one);
            var unused = one.whenComplete((info, failure) -> room.release());
        }
        made.forEach(CompletableFuture::join);
    }

    /** Opens sessions of one user while the other one's stats go on. */
    private Map<FsError, Integer> sessions(
            ServerAddress server, Connection operator, ProcessCluster cluster, SteadClient other, FsPath file)
            throws Exception {
        Map<FsError, Integer> answers = new EnumMap<>(FsError.class);
        Introduction introduction = new Introduction(PeerIdentity.client(RawConnections.USER), Optional.empty());
        try (EventLoops loops = EventLoops.open("crowd", Settings.defaults());
                NettyTransport transport = new NettyTransport(
                        loops,
                        NettyOptions.from(Settings.defaults()),
                        new MessageCounters(),
                        new SystemClock(),
                        introduction)) {
            Thread opener = new Thread(
                    () -> {
                        Semaphore room = new Semaphore(SESSIONS_IN_FLIGHT);
                        for (int i = 1; i <= SESSIONS; i++) {
                            room.acquireUninterruptibly();
                            var unused = transport
                                    .send(server, openSession(i), 60_000)
                                    .thenAccept(reply -> {
                                        note(answers, reply);
                                        room.release();
                                    });
                        }
                        room.acquireUninterruptibly(SESSIONS_IN_FLIGHT);
                    },
                    "sessions");
            opener.start();
            phase(
                    "and while one user asks for " + SESSIONS + " sessions",
                    operator,
                    cluster,
                    other,
                    file,
                    () -> !opener.isAlive());
            opener.join();
        }
        assertThat(answers.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(SESSIONS);
        assertThat(answers.keySet()).isSubsetOf(FsError.OK, FsError.BUSY);
        return answers;
    }

    private static Request openSession(long id) {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(Kind.OPEN_SESSION.number())
                .setCaller(Caller.newBuilder().setUser(RawConnections.USER))
                .setSession(id)
                .setShard(1)
                .build();
        OpenSessionRequest body = OpenSessionRequest.newBuilder()
                .setSession(id)
                .setClient("crowd")
                .build();
        return new Request(Kind.OPEN_SESSION, header, body, Payload.EMPTY);
    }

    private static void note(Map<FsError, Integer> answers, Reply reply) {
        synchronized (answers) {
            answers.merge(reply.error(), 1, Integer::sum);
        }
    }

    /** Times stats for ten seconds, and until it is over. */
    private void phase(
            String name,
            Connection operator,
            ProcessCluster cluster,
            SteadClient other,
            FsPath file,
            BooleanSupplier isOver)
            throws IOException {
        long begin = System.nanoTime();
        long[] nanos = new long[1024];
        int count = 0;
        while (System.nanoTime() - begin < PHASE_NANOS || !isOver.getAsBoolean()) {
            long asked = System.nanoTime();
            assertThat(other.stat(file).directory()).isTrue();
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * count);
            }
            nanos[count] = System.nanoTime() - asked;
            count++;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        StatusReply status = StatusOf.server(operator.transport(), "mds-1", cluster.address());
        say(String.format(
                "| %s | %d | %.2f | %.2f | %.1f | %d | %d | %d |",
                name,
                count,
                sorted[count / 2] / 1e6,
                sorted[(int) (count * 0.99)] / 1e6,
                sorted[count - 1] / 1e6,
                status.getGaugesOrDefault("connections.open", 0),
                status.getCountersOrDefault("connections.refused", 0),
                status.getGaugesOrDefault("sessions.open", 0)));
    }

    private void say(String line) {

        System.out.println(line);
    }
}
