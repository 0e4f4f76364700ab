package io.steadfs.mds.op;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cluster.HomeShard;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.hello.TestHello;
import io.steadfs.mds.intent.AwaitedShards;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.op.ground.Placement;
import io.steadfs.mds.testing.SimulatedShards;
import io.steadfs.mds.testing.WalkingClient;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations of shard 0 that need shard 1, which is away: what they cost, and what is left of them when it is back. */
class AwayShardTest {
    private static final int SHARDS = 3;
    private static final int AWAY = 1;

    private final SimulatedShards cluster = new SimulatedShards(SHARDS, 1);
    private final List<WalkingClient> clients = new ArrayList<>();
    private final long session = sessionAtHome(1);

    private static long sessionAtHome(long from) {
        long session = from;
        while (HomeShard.of(session, SHARDS) != 0) {
            session++;
        }
        return session;
    }

    @BeforeEach
    void openSession() {
        clients.add(new WalkingClient(cluster, session, "root"));
    }

    /** Directory below the root that belongs on the shard that is away. */
    private static String name(int number) {
        int met = 0;
        for (int i = 0; ; i++) {
            if (new Placement(2).shardOf(Handle.ROOT, "n" + i, 1, SHARDS) == AWAY && met++ == number) {
                return "/n" + i;
            }
        }
    }

    private static MkdirsRequest mkdir(int number) {
        return MkdirsRequest.newBuilder()
                .setLocation(Shell.at(name(number)))
                .setMode(0755)
                .build();
    }

    private long opened() {
        return Intents.next(cluster.committed(0)) - 1;
    }

    private long unfinished() {
        return Intents.numbers(cluster.committed(0), 0, 10_000).size();
    }

    /** One try of a request. */
    private Reply tryOnce(long id) {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(Kind.MKDIRS.number())
                .setSession(session)
                .setRequestId(id)
                .setLowestUnanswered(1)
                .setShard(1)
                .setRepeatedTry(true)
                .setCaller(Caller.newBuilder().setUser("root"))
                .build();
        return cluster.await(
                "a try",
                cluster.network()
                        .client("tries", TestHello.peerIdentity())
                        .send(
                                SimulatedShards.address(0),
                                new Request(Kind.MKDIRS, header, mkdir(0), Payload.EMPTY),
                                20_000));
    }

    @Test
    void aTryEndsAtTheFirstPrepareThatIsNotAnswered() {
        cluster.shard(AWAY).crash(60_000);
        long before = cluster.time().monotonicNanos();
        Reply reply = tryOnce(1);
        assertThat(reply.error()).isEqualTo(FsError.BUSY);
        assertThat(reply.header().getMessage()).contains("shard 1", "UNREACHABLE");
        assertThat(cluster.time().monotonicNanos() - before).isLessThan(100_000_000L);
        assertThat(opened()).isEqualTo(1);

        cluster.quiet();
        Reply again = tryOnce(1);
        assertThat(again.error()).isEqualTo(FsError.OK);
        assertThat(tryOnce(1)).as("what was recorded").extracting(Reply::error).isEqualTo(FsError.OK);
        cluster.quiet();
        assertThat(cluster.state().paths()).containsKey(name(0) + "/");
    }

    @Test
    void aPrepareThatIsLostEndsTheTryToo() {
        cluster.network().cut("mds-0", SimulatedShards.address(AWAY));
        Reply reply = tryOnce(1);
        assertThat(reply.error()).isEqualTo(FsError.BUSY);
        assertThat(reply.header().getMessage()).contains("TIMED_OUT");
        assertThat(opened()).isEqualTo(1);
        cluster.network().heal("mds-0", SimulatedShards.address(AWAY));
        cluster.quiet();
        assertThat(tryOnce(1).error()).isEqualTo(FsError.OK);
        cluster.quiet();
    }

    @Test
    void onlySoManyIntentsWaitForAShard() {
        while (clients.size() < 10) {
            clients.add(new WalkingClient(cluster, sessionAtHome(100L * clients.size()), "root"));
        }
        cluster.shard(AWAY).crash(20_000);
        List<CompletableFuture<Reply>> answers = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            answers.add(clients.get(i).begin(Kind.MKDIRS, mkdir(i)));
        }
        cluster.time().runFor(15_000);
        assertThat(unfinished()).isBetween((long) AwaitedShards.MOST, (long) AwaitedShards.MOST + clients.size());
        assertThat(opened()).isEqualTo(unfinished());

        cluster.shard(0).crash(1_000);
        cluster.time().runFor(3_000);
        assertThat(unfinished()).as("after a restart").isLessThanOrEqualTo(AwaitedShards.MOST + 2L * clients.size());
        for (CompletableFuture<Reply> answer : answers) {
            assertThat(cluster.await("a directory", answer).error()).isEqualTo(FsError.OK);
        }
        cluster.quiet();
        for (int i = 0; i < clients.size(); i++) {
            assertThat(cluster.state().paths()).containsKey(name(i) + "/");
        }
    }
}
