package io.steadfs.mds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.config.Settings;
import io.steadfs.disk.Disk;
import io.steadfs.disk.Space;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.hello.TestHello;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.SimulatedShardLife;
import io.steadfs.mds.testing.TestCall;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.server.Revival;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RequestHeader;
import io.steadfs.wire.proto.SetXattrRequest;
import io.steadfs.wire.proto.StatRequest;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shard below its reserve, and one whose store fails: on simulated time and a disk of memory. */
class ShardRevivalTest {
    private static final long SESSION = 0x77;
    private static final long RESERVE = 64L << 20;
    private static final long ROOM = 1L << 30;

    /** What the opening of a store needs. */
    private static final long LEAST_FREE = 8L << 20;

    private final SimulatedTime time = new SimulatedTime(1);
    private final MemoryNetwork network = new MemoryNetwork(time, 1);
    private final FakeDisk disk = new FakeDisk();
    private MemoryStore store = new MemoryStore(ShardTables.ALL);
    private Optional<ShardService> present = Optional.empty();
    private int births;
    private int birthsToFail;
    private int birthsToBreak;
    private Revival shard;
    private long lastId;

    private static final class FakeDisk implements Disk {
        long free = ROOM;

        @Override
        public long capacityBytes() {
            return 1L << 40;
        }

        @Override
        public long freeBytes() {
            return free;
        }

        @Override
        public String place() {
            return "/data/shard-0";
        }
    }

    ShardRevivalTest() throws IOException {
        Space space = new Space(disk, RESERVE, time);
        shard = new Revival(
                new Revival.Name(ClusterMap.Role.MDS, 1, "metadata server 1"),
                () -> {
                    births++;
                    if (birthsToFail > 0) {
                        birthsToFail--;
                        throw new IOException("cannot open the store, as the test asked");
                    }
                    if (birthsToBreak > 0) {
                        birthsToBreak--;
                        throw new NoClassDefFoundError("no class for the store, as the test asked");
                    }
                    SimulatedShardLife life = begin(space);
                    present = Optional.of(life.service());
                    return life;
                },
                space,
                time,
                Runnable::run,
                time);
    }

    private SimulatedShardLife begin(Space space) {
        store = store.reopen();
        ShardService service = new ShardService(
                Settings.defaults(),
                new ShardService.Dependencies(
                        1,
                        0,
                        "root",
                        store,
                        time,
                        time,
                        network.client("mds-1", TestHello.peerIdentity()),
                        user -> Runnable::run,
                        () -> FixedInputs.CLUSTER,
                        FixedInputs.confirmed(1),
                        new HandleReserve() {
                            @Override
                            public Block block() {
                                return new Block(0, 1, Handle.MAX_SEQUENCE);
                            }

                            @Override
                            public void used(long next) {}
                        },
                        () -> space.problem("metadata server 1"),
                        FixedInputs.STARTS,
                        Map::of));
        var unused = service.start();
        service.core().step();
        return new SimulatedShardLife(service);
    }

    @BeforeEach
    void openSession() {
        assertThat(ask(
                                Kind.OPEN_SESSION,
                                OpenSessionRequest.newBuilder()
                                        .setSession(SESSION)
                                        .build(),
                                0,
                                false)
                        .error())
                .isEqualTo(FsError.OK);
    }

    @AfterEach
    void close() {
        shard.close();
    }

    private Reply ask(Kind kind, MessageLite body, long id, boolean repeated) {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(kind.number())
                .setSession(SESSION)
                .setRequestId(id)
                .setLowestUnanswered(Math.min(id, 1))
                .setRepeatedTry(repeated)
                .setCaller(Caller.newBuilder().setUser("root"))
                .build();
        List<Reply> replies = new ArrayList<>();
        shard.handle(new TestCall(new Request(kind, header, body, Payload.EMPTY), replies::add));
        present.orElseThrow().core().step();
        assertThat(replies).as("answers to %s", kind).hasSize(1);
        return replies.get(0);
    }

    private Reply create(String path, long id, boolean repeated) {
        return ask(
                Kind.CREATE,
                CreateRequest.newBuilder()
                        .setLocation(Location.newBuilder().setPath(path))
                        .setMode(0644)
                        .build(),
                id,
                repeated);
    }

    private FsError create(String path) {
        return create(path, ++lastId, false).error();
    }

    private FsError stat(String path) {
        return ask(
                        Kind.STAT,
                        StatRequest.newBuilder()
                                .setLocation(Location.newBuilder().setPath(path))
                                .build(),
                        0,
                        false)
                .error();
    }

    private FsError delete(String path) {
        return ask(
                        Kind.DELETE,
                        DeleteRequest.newBuilder()
                                .setLocation(Location.newBuilder().setPath(path))
                                .build(),
                        ++lastId,
                        false)
                .error();
    }

    private StatusReply status() {
        return (StatusReply)
                ask(Kind.STATUS, StatusRequest.getDefaultInstance(), 0, false).body();
    }

    @Test
    void belowTheReserveOnlyWhatGrowsIsRefused() {
        assertThat(create("a")).isEqualTo(FsError.OK);
        disk.free = RESERVE - 1;
        time.runFor(1_100);
        Location a = Location.newBuilder().setPath("a").build();
        Location b = Location.newBuilder().setPath("b").build();
        Reply refused = create("b", ++lastId, false);
        assertThat(refused.error()).isEqualTo(FsError.NO_SPACE);
        assertThat(refused.header().getMessage())
                .contains("metadata server 1", "/data/shard-0", (RESERVE - 1) + " bytes free", String.valueOf(RESERVE));
        assertThat(ask(Kind.MKDIRS, MkdirsRequest.newBuilder().setLocation(b).build(), ++lastId, false)
                        .error())
                .isEqualTo(FsError.NO_SPACE);
        assertThat(ask(
                                Kind.SET_XATTR,
                                SetXattrRequest.newBuilder()
                                        .setLocation(a)
                                        .setName("user.x")
                                        .build(),
                                ++lastId,
                                false)
                        .error())
                .isEqualTo(FsError.NO_SPACE);
        assertThat(stat("a")).isEqualTo(FsError.OK);
        assertThat(delete("a")).isEqualTo(FsError.OK);
        assertThat(status().getProblemsList()).anyMatch(problem -> problem.contains("stores nothing new"));
        assertThat(status().getGaugesMap()).containsEntry("disk.free.bytes", RESERVE - 1);

        disk.free = RESERVE;
        time.runFor(200);
        assertThat(create("b")).isEqualTo(FsError.OK);
        assertThat(status().getProblemsList()).isEmpty();
        assertThat(births).isEqualTo(1);
    }

    @Test
    void aRefusalForWantOfSpaceIsKeptOnlyIfAnEarlierTryMayArrive() {
        disk.free = 0;
        time.runFor(1_100);
        long plain = ++lastId;
        long repeated = ++lastId;
        assertThat(create("plain", plain, false).error()).isEqualTo(FsError.NO_SPACE);
        assertThat(create("repeated", repeated, true).error()).isEqualTo(FsError.NO_SPACE);
        disk.free = ROOM;
        time.runFor(1_100);
        assertThat(create("plain", plain, false).error()).isEqualTo(FsError.OK);
        assertThat(create("repeated", repeated, false).error()).isEqualTo(FsError.NO_SPACE);
        assertThat(stat("repeated")).isEqualTo(FsError.NOT_FOUND);
    }

    @Test
    void aStoreThatFailedIsOpenedAgainWhenThereIsRoom() {
        assertThat(create("a")).isEqualTo(FsError.OK);
        store.failNextCommit();
        disk.free = LEAST_FREE - 1;
        long doubtful = ++lastId;
        assertThat(create("b", doubtful, false).error()).isNotEqualTo(FsError.OK);
        time.runFor(5_000);
        assertThat(births).as("nothing is opened on a full disk").isEqualTo(1);
        assertThat(stat("a")).as("reads go on").isEqualTo(FsError.OK);
        assertThat(create("b", doubtful, true).error()).isEqualTo(FsError.UNAVAILABLE);
        assertThat(status().getProblemsList())
                .anyMatch(problem -> problem.contains("waits for space") && problem.contains("as the test asked"));

        disk.free = ROOM;
        time.runFor(1_000);
        assertThat(births).isEqualTo(2);
        assertThat(stat("a")).isEqualTo(FsError.OK);
        assertThat(create("b", doubtful, true).error())
                .as("decided by what the disk kept")
                .isEqualTo(FsError.OK);
        assertThat(create("b", doubtful, true).error()).as("and recorded").isEqualTo(FsError.OK);
        assertThat(create("a")).isEqualTo(FsError.ALREADY_EXISTS);
        assertThat(status().getProblemsList()).isEmpty();
        assertThat(status().getCountersMap()).containsEntry("store.reopened", 1L);
    }

    @Test
    void aStoreThatFailedBelowTheReserveIsOpenedAgainForRemovals() {
        assertThat(create("a")).isEqualTo(FsError.OK);
        store.failNextCommit();
        assertThat(create("b")).isNotEqualTo(FsError.OK);
        disk.free = LEAST_FREE;
        time.runFor(1_100);
        assertThat(births).isEqualTo(2);
        Reply refused = create("c", ++lastId, false);
        assertThat(refused.error()).isEqualTo(FsError.NO_SPACE);
        assertThat(refused.header().getMessage()).contains(LEAST_FREE + " bytes free", RESERVE + " in reserve");
        assertThat(delete("a")).isEqualTo(FsError.OK);
        assertThat(status().getProblemsList()).anyMatch(problem -> problem.contains("stores nothing new"));

        disk.free = ROOM;
        time.runFor(1_100);
        assertThat(create("c")).isEqualTo(FsError.OK);
        assertThat(births).isEqualTo(2);
    }

    @Test
    void anOpeningThatBreaksByAnErrorIsTriedAgain() {
        store.failNextCommit();
        birthsToBreak = 2;
        assertThat(create("a")).isNotEqualTo(FsError.OK);
        time.runFor(400);
        assertThat(create("a", ++lastId, false).header().getMessage()).contains("no class for the store");
        time.runFor(10_000);
        assertThat(births).isEqualTo(4);
        assertThat(create("c")).isEqualTo(FsError.OK);
    }

    @Test
    void aStoreThatFailsAgainAndAgainIsOpenedSeldom() {
        int last = births;
        for (int round = 0; round < 20; round++) {
            store.failNextCommit();
            assertThat(create("x" + round)).isNotEqualTo(FsError.OK);
            time.runFor(5_000);
        }
        assertThat(births - last).as("openings in 100 s").isBetween(4, 9);
    }

    @Test
    void whileItCannotBeOpenedTheReasonIsSaid() {
        store.failNextCommit();
        birthsToFail = 2;
        assertThat(create("a")).isNotEqualTo(FsError.OK);
        time.runFor(400);
        Reply refused = create("a", ++lastId, false);
        assertThat(refused.error()).isEqualTo(FsError.UNAVAILABLE);
        assertThat(refused.header().getMessage()).contains("metadata server 1", "as the test asked");
        StatusReply status = status();
        assertThat(status.getRole()).isEqualTo(ClusterMap.Role.MDS);
        assertThat(status.getId()).isEqualTo(1);
        assertThat(status.getProblemsList()).anyMatch(problem -> problem.contains("cannot open its store again"));
        time.runFor(10_000);
        assertThat(create("a")).isEqualTo(FsError.OK);
        assertThat(births).isEqualTo(4);
    }
}
