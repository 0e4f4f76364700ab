package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.ioserver.duty.ReclaimLeases;
import io.steadfs.ioserver.lease.LeaseState;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AcknowledgeDatafilesRequest;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.EndLeasesReply;
import io.steadfs.wire.proto.EndLeasesRequest;
import io.steadfs.wire.proto.FenceHandlesReply;
import io.steadfs.wire.proto.FenceHandlesRequest;
import io.steadfs.wire.proto.LeaseHandlesReply;
import io.steadfs.wire.proto.LeaseHandlesRequest;
import io.steadfs.wire.proto.LeaseInfo;
import io.steadfs.wire.proto.ListLeasesReply;
import io.steadfs.wire.proto.ListLeasesRequest;
import io.steadfs.wire.proto.RenewLeasesReply;
import io.steadfs.wire.proto.RenewLeasesRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases from the grant to the end: what files have of them stays, the rest goes, whenever the server crashes. */
@ParameterizedClass(name = "handles only: {0}")
@ValueSource(booleans = {false, true})
final class LeaseLifeTest {
    @Parameter
    boolean handlesOnly;

    private static final long HOLDER = 7;
    private static final long DURATION = 60_000;
    private static final byte[] BYTES = IoRig.bytes(3, 100);
    private static final int SHARDS = 2;

    private final Deque<Runnable> scheduled = new ArrayDeque<>();
    private final Shards shards = new Shards();

    /** How many shards ZooKeeper counts; empty if it does not answer. */
    private Optional<Integer> counted = Optional.of(SHARDS);

    private final Scheduler scheduler = (delay, task) -> {
        scheduled.add(task);
        return () -> {};
    };

    /** Shards that list what the test told them, and may be down. */
    private static final class Shards implements Transport {
        final Map<Handle, Handle> listed = new HashMap<>();
        final Map<Integer, Set<HandleRange>> fenced = new HashMap<>();
        final Set<Integer> down = new HashSet<>();

        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            int shard = request.header().getShard() - 1;
            if (down.contains(shard)) {
                return CompletableFuture.completedFuture(Reply.refused(request.kind(), FsError.UNREACHABLE, "down"));
            }
            FenceHandlesReply.Builder reply = FenceHandlesReply.newBuilder();
            for (FenceHandlesRequest.Range each : ((FenceHandlesRequest) request.body()).getRangesList()) {
                HandleRange range = new HandleRange(new Handle(each.getFirst()), new Handle(each.getLast()));
                fenced.computeIfAbsent(shard, unused -> new HashSet<>()).add(range);
                listed.forEach((datafile, metafile) -> {
                    if (range.holds(datafile) && metafile.shard() == shard) {
                        reply.addUsed(FenceHandlesReply.Used.newBuilder()
                                .setDatafile(datafile.value())
                                .setMetafile(metafile.value()));
                    }
                });
            }
            return CompletableFuture.completedFuture(Reply.ok(reply.build()));
        }

        @Override
        public void close() {}
    }

    private CompletableFuture<Integer> count() {
        return counted.map(CompletableFuture::completedFuture)
                .orElseGet(() -> CompletableFuture.failedFuture(new IOException("ZooKeeper does not answer")));
    }

    private static IoRig rig() throws IOException {
        IoRig rig = new IoRig("stead.io.lease.duration", Long.toString(DURATION));
        rig.map = Optional.of(map(SHARDS));
        return rig;
    }

    /** The cluster map after so many shards were made or added. */
    private static ClusterMap map(int all) {
        ClusterMap.Builder map = ClusterMap.newBuilder()
                .setEpoch(1)
                .setShardCount(SHARDS)
                .setAllShards(all)
                .addServers(ClusterMap.Server.newBuilder()
                        .setRole(ClusterMap.Role.MDS)
                        .setId(1)
                        .setHost("mds")
                        .setPort(2));
        for (int shard = 0; shard < all; shard++) {
            map.addShards(ClusterMap.Shard.newBuilder().setNumber(shard).setServer(1));
        }
        return map.build();
    }

    private HandleRange lease(IoRig rig, int count) {
        LeaseHandlesReply reply = body(
                rig,
                Kind.LEASE_HANDLES,
                LeaseHandlesRequest.newBuilder()
                        .setHolder(HOLDER)
                        .setCount(count)
                        .setName("test")
                        .setHandlesOnly(handlesOnly)
                        .build(),
                LeaseHandlesReply.class);
        assertThat(reply.getDurationMillis()).isEqualTo(DURATION);
        return HandleRange.of(new Handle(reply.getFirst()), reply.getCount());
    }

    private static <T extends MessageLite> T body(IoRig rig, Kind kind, MessageLite request, Class<T> type) {
        return type.cast(IoRig.ok(rig.ask(kind, request)).body());
    }

    private static Handle at(HandleRange range, int position) {
        return new Handle(range.first().value() + position);
    }

    private static Reply write(IoRig rig, Handle datafile, Handle metafile) {
        return rig.ask(
                Kind.WRITE,
                IoRig.write(datafile, 0, BYTES, true)
                        .setMetafile(metafile.value())
                        .build(),
                BYTES);
    }

    private static List<LeaseInfo> list(IoRig rig) {
        return body(rig, Kind.LIST_LEASES, ListLeasesRequest.getDefaultInstance(), ListLeasesReply.class)
                .getLeasesList();
    }

    private void startDuty(IoRig rig) {
        scheduled.clear();
        new ReclaimLeases(
                        rig.core().leases(),
                        rig.core().lanes(),
                        shards,
                        () -> rig.map,
                        this::count,
                        scheduler,
                        rig.core().counters(),
                        1000)
                .start();
    }

    /** All that is to be done up to the next rounds, so many. */
    private void rounds(IoRig rig, int count) {
        for (int i = 0; i < count * 20; i++) {
            step(rig);
        }
    }

    private void step(IoRig rig) {
        if (!scheduled.isEmpty()) {
            scheduled.remove().run();
        }
        rig.core().lanes().runQueued();
    }

    @Test
    void handlesAreThereAfterAPowerCutAndTakeOneMetafile() throws IOException {
        try (IoRig rig = rig()) {
            HandleRange range = lease(rig, 5);
            assertThat(lease(rig, 5).first()).as("leases follow each other").isEqualTo(at(range, 5));
            rig.crash(new Random(1));
            assertThat(list(rig)).hasSize(2).allSatisfy(lease -> {
                assertThat(lease.getUnused()).isEqualTo(5);
                assertThat(lease.getName()).isEqualTo("test");
                assertThat(lease.getHolder()).isEqualTo(HOLDER);
            });
            Handle metafile = Handle.of(Handle.shardOwner(0), 0, 5);
            IoRig.ok(write(rig, at(range, 2), metafile));
            assertThat(write(rig, at(range, 2), IoRig.METAFILE).error()).isEqualTo(FsError.ALREADY_ATTACHED);
            rig.crash(new Random(2));
            IoRig.ok(write(rig, at(range, 2), metafile));
            assertThat(write(rig, at(range, 2), IoRig.METAFILE).error()).isEqualTo(FsError.ALREADY_ATTACHED);
            assertThat(list(rig).get(0).getUnused()).isEqualTo(4);
        }
    }

    @Test
    void staysWhileItIsRenewedAndNoLonger() throws IOException {
        try (IoRig rig = rig()) {
            HandleRange range = lease(rig, 3);
            startDuty(rig);
            for (int i = 0; i < 5; i++) {
                rig.clock.millis += DURATION - 1;
                rounds(rig, 1);
                RenewLeasesReply renewed = body(
                        rig,
                        Kind.RENEW_LEASES,
                        RenewLeasesRequest.newBuilder()
                                .setHolder(HOLDER)
                                .addLeases(range.first().value())
                                .addLeases(12345)
                                .build(),
                        RenewLeasesReply.class);
                assertThat(renewed.getLeasesList())
                        .containsExactly(range.first().value());
            }
            assertThat(list(rig)).hasSize(1);
            rig.clock.millis += DURATION;
            rounds(rig, 2);
            assertThat(list(rig)).isEmpty();
            assertThat(IoRig.errorOf(rig.stat(range.first()))).isEqualTo(FsError.NO_SUCH_DATAFILE);
            assertThat(write(rig, range.first(), IoRig.METAFILE).error()).isEqualTo(FsError.NO_SUCH_DATAFILE);
            assertThat(body(
                                    rig,
                                    Kind.RENEW_LEASES,
                                    RenewLeasesRequest.newBuilder()
                                            .setHolder(HOLDER)
                                            .build(),
                                    RenewLeasesReply.class)
                            .getLeasesList())
                    .isEmpty();
        }
    }

    @Test
    void whatFilesHaveStaysAndTheRestGoes() throws IOException {
        try (IoRig rig = rig()) {
            HandleRange range = lease(rig, 4);
            Handle written = Handle.of(Handle.shardOwner(0), 0, 5);
            Handle unwritten = Handle.of(Handle.shardOwner(1), 0, 6);
            IoRig.ok(write(rig, at(range, 0), written));
            shards.listed.put(at(range, 0), written);
            shards.listed.put(at(range, 1), unwritten);
            end(rig);
            startDuty(rig);
            rounds(rig, 2);
            assertThat(list(rig)).isEmpty();
            assertThat(rig.stat(at(range, 0)).getMetafile()).isEqualTo(written.value());
            assertThat(rig.stat(at(range, 1)).getMetafile()).isEqualTo(unwritten.value());
            assertThat(IoRig.errorOf(rig.stat(at(range, 2)))).isEqualTo(FsError.NO_SUCH_DATAFILE);
            assertThat(IoRig.errorOf(rig.stat(at(range, 3)))).isEqualTo(FsError.NO_SUCH_DATAFILE);
            IoRig.ok(write(rig, at(range, 1), unwritten));
            assertThat(shards.fenced.get(0)).containsExactly(range);
            assertThat(shards.fenced.get(1)).containsExactly(range);
        }
    }

    private static Reply acknowledge(IoRig rig, Handle... datafiles) {
        AcknowledgeDatafilesRequest.Builder request = AcknowledgeDatafilesRequest.newBuilder();
        for (Handle each : datafiles) {
            request.addDatafiles(each.value());
        }
        return rig.ask(Kind.ACKNOWLEDGE_DATAFILES, request.build());
    }

    private static int unused(IoRig rig) {
        int unused = list(rig).get(0).getUnused();
        assertThat(rig.core().leases().unused()).isEqualTo(unused);
        assertThat(rig.core().leases().unusedOf(HOLDER)).isEqualTo(unused);
        return unused;
    }

    /** Each handle counts once, whoever says first that a file has it. */
    @Test
    void whatAShardAcknowledgesCountsAsUsed() throws IOException {
        try (IoRig rig = rig()) {
            HandleRange range = lease(rig, 4);
            Handle metafile = Handle.of(Handle.shardOwner(0), 0, 5);
            IoRig.ok(acknowledge(rig, at(range, 0)));
            IoRig.ok(acknowledge(rig, at(range, 0), at(range, 4)));
            assertThat(unused(rig)).isEqualTo(3);
            IoRig.ok(write(rig, at(range, 0), metafile));
            assertThat(unused(rig)).isEqualTo(3);
            IoRig.ok(write(rig, at(range, 1), metafile));
            IoRig.ok(acknowledge(rig, at(range, 1)));
            assertThat(unused(rig)).isEqualTo(2);
            assertThat(rig.remove(at(range, 2))).isEqualTo(1);
            IoRig.ok(acknowledge(rig, at(range, 2)));
            assertThat(unused(rig)).isEqualTo(1);
            assertThat(acknowledge(rig, at(range, 3), Handle.of(IoRig.SERVER + 1, 0, 1))
                            .error())
                    .isEqualTo(FsError.NOT_OWNER);
            assertThat(unused(rig)).as("nothing of a message that is refused").isEqualTo(1);
            IoRig.ok(acknowledge(rig, at(range, 3)));
            assertThat(unused(rig)).isZero();
            startDuty(rig);
            rounds(rig, 2);
            assertThat(list(rig)).as("only rows settle it").hasSize(1);
            rig.crash(new Random(1));
            assertThat(unused(rig)).as("it was said to the process before").isEqualTo(1);
            assertThat(rig.stat(at(range, 3)).getMetafile()).isZero();
            IoRig.ok(write(rig, at(range, 3), metafile));
            startDuty(rig);
            rounds(rig, 2);
            assertThat(list(rig)).isEmpty();
            assertThat(shards.fenced).isEmpty();
        }
    }

    /** The server's map does not have the shard that was added, and a client has listed a handle there. */
    @Test
    void aShardThatWasAddedIsAskedWhateverTheMapSays() throws IOException {
        try (IoRig rig = rig()) {
            HandleRange range = lease(rig, 3);
            Handle onNewShard = Handle.of(Handle.shardOwner(SHARDS), 0, 5);
            shards.listed.put(at(range, 1), onNewShard);
            end(rig);
            counted = Optional.of(SHARDS + 1);
            startDuty(rig);
            rounds(rig, 3);
            assertThat(list(rig)).as("the new shard has no address yet").hasSize(1);
            rig.map = Optional.of(map(SHARDS + 1));
            rounds(rig, 3);
            assertThat(list(rig)).isEmpty();
            assertThat(shards.fenced.get(SHARDS)).containsExactly(range);
            assertThat(rig.stat(at(range, 1)).getMetafile()).isEqualTo(onNewShard.value());
            assertThat(IoRig.errorOf(rig.stat(at(range, 0)))).isEqualTo(FsError.NO_SUCH_DATAFILE);
        }
    }

    /** Without ZooKeeper the map may be an old one, although all shards of the map have answered. */
    @Test
    void nothingIsTakenBackWhileTheShardsCannotBeCounted() throws IOException {
        try (IoRig rig = rig()) {
            HandleRange range = lease(rig, 3);
            end(rig);
            counted = Optional.empty();
            startDuty(rig);
            rounds(rig, 3);
            assertThat(shards.fenced).hasSize(SHARDS);
            assertThat(list(rig)).hasSize(1);
            counted = Optional.of(SHARDS);
            rounds(rig, 3);
            assertThat(list(rig)).isEmpty();
            assertThat(IoRig.errorOf(rig.stat(at(range, 0)))).isEqualTo(FsError.NO_SUCH_DATAFILE);
        }
    }

    /** What is said is no reason to keep a datafile, nor to take one back. */
    @Test
    void whatIsAcknowledgedWronglyChangesNothing() throws IOException {
        try (IoRig rig = rig()) {
            HandleRange range = lease(rig, 2);
            Handle metafile = Handle.of(Handle.shardOwner(0), 0, 5);
            shards.listed.put(at(range, 0), metafile);
            IoRig.ok(acknowledge(rig, at(range, 1)));
            end(rig);
            startDuty(rig);
            rounds(rig, 2);
            assertThat(list(rig)).isEmpty();
            assertThat(rig.stat(at(range, 0)).getMetafile()).isEqualTo(metafile.value());
            assertThat(IoRig.errorOf(rig.stat(at(range, 1)))).isEqualTo(FsError.NO_SUCH_DATAFILE);
            IoRig.ok(acknowledge(rig, at(range, 0), at(range, 1)));
            assertThat(rig.core().leases().unused()).isZero();
        }
    }

    /** Where the store cannot tell whether a leased handle that a file has got its datafile, the lease waits: it would not be made later. */
    @Test
    void noFileIsLeftWithoutADatafileByARowThatCannotBeReadForAWhile() throws IOException {
        try (IoRig rig = rig()) {
            HandleRange range = lease(rig, 2);
            Handle metafile = Handle.of(Handle.shardOwner(0), 0, 5);
            shards.listed.put(at(range, 0), metafile);
            rig.store.rot(DatafileTables.DATAFILE, DatafileTables.key(at(range, 0)));
            HandleRange other = lease(rig, 3);
            IoRig.ok(rig.ask(
                    Kind.END_LEASES,
                    EndLeasesRequest.newBuilder().setHolder(HOLDER).build()));
            startDuty(rig);
            rounds(rig, 3);
            assertThat(list(rig)).as("the other one does not wait").hasSize(handlesOnly ? 1 : 0);
            assertThat(IoRig.errorOf(rig.stat(other.first()))).isEqualTo(FsError.NO_SUCH_DATAFILE);
            rig.store.mend();
            rounds(rig, 3);
            assertThat(list(rig)).isEmpty();
            assertThat(rig.stat(at(range, 0)).getError()).isZero();
            assertThat(IoRig.errorOf(rig.stat(at(range, 1)))).isEqualTo(FsError.NO_SUCH_DATAFILE);
        }
    }

    /** It is that datafile's damage alone. */
    @Test
    void aDatafileWhoseBytesCannotBeReadHoldsUpNoLease() throws IOException {
        try (IoRig rig = rig()) {
            HandleRange range = lease(rig, 2);
            Handle metafile = Handle.of(Handle.shardOwner(0), 0, 5);
            IoRig.ok(write(rig, at(range, 0), metafile));
            shards.listed.put(at(range, 0), metafile);
            rig.crash(new Random(1));
            rig.store.rot(DatafileTables.SMALL, DatafileTables.key(at(range, 0)));
            end(rig);
            startDuty(rig);
            rounds(rig, 3);
            assertThat(list(rig)).isEmpty();
            assertThat(IoRig.errorOf(rig.stat(at(range, 1)))).isEqualTo(FsError.NO_SUCH_DATAFILE);
        }
    }

    private static void end(IoRig rig) {
        assertThat(body(
                                rig,
                                Kind.END_LEASES,
                                EndLeasesRequest.newBuilder().setHolder(HOLDER).build(),
                                EndLeasesReply.class)
                        .getEnded())
                .isEqualTo(1);
    }

    @Test
    void aShardThatIsDownDelaysTheEndButNoFileOfAnother() throws IOException {
        try (IoRig rig = rig()) {
            HandleRange range = lease(rig, 3);
            Handle metafile = Handle.of(Handle.shardOwner(0), 0, 5);
            shards.listed.put(at(range, 1), metafile);
            shards.down.add(1);
            end(rig);
            startDuty(rig);
            rounds(rig, 3);
            assertThat(list(rig)).hasSize(1).first().matches(LeaseInfo::getRevoking);
            IoRig.ok(write(rig, at(range, 1), metafile));
            assertThat(write(rig, at(range, 2), metafile).error())
                    .as("nobody knows yet whether a file has it")
                    .isEqualTo(FsError.BUSY);
            assertThat(rig.stat(at(range, 0)).getError()).isZero();
            shards.down.clear();
            rounds(rig, 3);
            assertThat(list(rig)).isEmpty();
            assertThat(IoRig.errorOf(rig.stat(at(range, 0)))).isEqualTo(FsError.NO_SUCH_DATAFILE);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 30})
    void aCrashAtAnyStepLeavesNothingWrong(int steps) throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            try (IoRig rig = rig()) {
                HandleRange range = lease(rig, 6);
                Handle written = Handle.of(Handle.shardOwner(0), 0, 5);
                Handle unwritten = Handle.of(Handle.shardOwner(1), 0, 6);
                IoRig.ok(write(rig, at(range, 0), written));
                shards.listed.clear();
                shards.listed.put(at(range, 0), written);
                shards.listed.put(at(range, 1), unwritten);
                end(rig);
                startDuty(rig);
                for (int i = 0; i < steps; i++) {
                    step(rig);
                }
                rig.crash(new Random(seed));
                startDuty(rig);
                rounds(rig, 3);
                assertThat(list(rig)).isEmpty();
                assertThat(rig.stat(at(range, 0)).getLength()).isEqualTo(BYTES.length);
                assertThat(rig.stat(at(range, 1)).getMetafile()).isEqualTo(unwritten.value());
                for (int i = 2; i < 6; i++) {
                    assertThat(IoRig.errorOf(rig.stat(at(range, i)))).isEqualTo(FsError.NO_SUCH_DATAFILE);
                    assertThat(rig.core().leases().stateOf(at(range, i))).isEqualTo(LeaseState.NONE);
                }
            }
        }
    }

    @Test
    void aLeaseWithoutUnusedHandlesEndsAtOnceAndAsksNobody() throws IOException {
        try (IoRig rig = rig()) {
            HandleRange range = lease(rig, 3);
            startDuty(rig);
            IoRig.ok(write(rig, at(range, 0), IoRig.METAFILE));
            assertThat(rig.remove(at(range, 1))).as("listed, and never written").isEqualTo(1);
            rounds(rig, 1);
            assertThat(list(rig)).singleElement().matches(lease -> lease.getUnused() == 1);
            rig.crash(new Random(4));
            startDuty(rig);
            assertThat(list(rig)).singleElement().matches(lease -> lease.getUnused() == 1);
            IoRig.ok(write(rig, at(range, 2), IoRig.METAFILE));
            rounds(rig, 1);
            assertThat(list(rig)).isEmpty();
            assertThat(shards.fenced).isEmpty();
            assertThat(rig.content(at(range, 2))).isEqualTo(BYTES);
            rig.crash(new Random(5));
            assertThat(list(rig)).isEmpty();
            assertThat(rig.content(at(range, 0))).isEqualTo(BYTES);
        }
    }

    @Test
    void aLeaseThatEndsIsNotRenewedInTheSameBatch() throws IOException {
        try (IoRig rig = rig()) {
            HandleRange range = lease(rig, 1);
            startDuty(rig);
            IoRig.ok(write(rig, at(range, 0), IoRig.METAFILE));
            scheduled.remove().run();
            rig.begin(
                    Kind.RENEW_LEASES,
                    RenewLeasesRequest.newBuilder()
                            .setHolder(HOLDER)
                            .addLeases(range.first().value())
                            .build(),
                    new byte[0]);
            rig.begin(
                    Kind.END_LEASES,
                    EndLeasesRequest.newBuilder().setHolder(HOLDER).build(),
                    new byte[0]);
            rig.core().lanes().runQueued();
            assertThat(list(rig)).isEmpty();
            rig.restart();
            assertThat(list(rig)).as("in the store").isEmpty();
        }
    }

    @Test
    void aWallClockThatJumpsEndsNothing() throws IOException {
        try (IoRig rig = rig()) {
            lease(rig, 3);
            rig.clock.setMillis = 3_600_000;
            startDuty(rig);
            rounds(rig, 2);
            assertThat(list(rig)).hasSize(1);
            rig.clock.setMillis = -3_600_000;
            rig.restart();
            assertThat(list(rig).get(0).getLeftMillis()).isBetween(1L, DURATION);
        }
    }

    @Test
    void limitsAndBadInputAreRefused() throws IOException {
        try (IoRig rig = rig()) {
            rig.set("stead.io.lease.handles.grant", "8");
            rig.set("stead.io.lease.handles.holder", "12");
            rig.restart();
            assertThat(lease(rig, 1_000_000).count()).isEqualTo(8);
            Reply above = rig.ask(
                    Kind.LEASE_HANDLES,
                    LeaseHandlesRequest.newBuilder()
                            .setHolder(HOLDER)
                            .setCount(5)
                            .build());
            assertThat(above.error()).isEqualTo(FsError.BUSY);
            assertThat(above.header().getMessage()).contains("12");
            assertThat(rig.ask(
                                    Kind.LEASE_HANDLES,
                                    LeaseHandlesRequest.newBuilder()
                                            .setHolder(HOLDER)
                                            .build())
                            .error())
                    .isEqualTo(FsError.INVALID_ARGUMENT);
            assertThat(rig.ask(
                                    Kind.LEASE_HANDLES,
                                    LeaseHandlesRequest.newBuilder().setCount(1).build())
                            .error())
                    .isEqualTo(FsError.INVALID_ARGUMENT);
            LeaseHandlesReply other = body(
                    rig,
                    Kind.LEASE_HANDLES,
                    LeaseHandlesRequest.newBuilder()
                            .setHolder(HOLDER + 1)
                            .setCount(5)
                            .setName("\u00e4".repeat(1000))
                            .build(),
                    LeaseHandlesReply.class);
            assertThat(other.getCount()).isEqualTo(5);
            rig.set("stead.io.lease.count", "2");
            rig.restart();
            assertThat(list(rig)).hasSize(2);
            Reply more = rig.ask(
                    Kind.LEASE_HANDLES,
                    LeaseHandlesRequest.newBuilder()
                            .setHolder(HOLDER + 2)
                            .setCount(1)
                            .build());
            assertThat(more.error()).isEqualTo(FsError.BUSY);
            assertThat(more.header().getMessage()).contains("2 leases");
        }
    }
}
