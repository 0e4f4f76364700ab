package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.ioserver.duty.ConfirmDatafiles;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.store.Overlay;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ConfirmDatafilesReply;
import io.steadfs.wire.proto.ConfirmDatafilesReply.Verdict;
import io.steadfs.wire.proto.ConfirmDatafilesRequest;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Datafiles whose attach the server never learned of: asked about until the answer is final. */
final class ConfirmDatafilesTest {
    private static final long AFTER_MILLIS = 60_000;
    private static final byte[] BYTES = IoRig.bytes(1, 100);

    private static final ClusterMap MAP = ClusterMap.newBuilder()
            .setEpoch(9)
            .setShardCount(1)
            .addShards(ClusterMap.Shard.newBuilder().setNumber(0).setServer(1))
            .addServers(ClusterMap.Server.newBuilder()
                    .setRole(ClusterMap.Role.IO)
                    .setId(1)
                    .setHost("io")
                    .setPort(1))
            .addServers(ClusterMap.Server.newBuilder()
                    .setRole(ClusterMap.Role.MDS)
                    .setId(1)
                    .setHost("mds")
                    .setPort(2))
            .build();

    private final Deque<Runnable> scheduled = new ArrayDeque<>();
    private final Shard shard = new Shard();
    private final Scheduler scheduler = (delay, task) -> {
        scheduled.add(task);
        return () -> {};
    };

    /** A shard that says what the test told it, over a transport that may be down. */
    private static final class Shard implements Transport {
        final Map<Handle, Verdict> verdicts = new HashMap<>();
        final List<ConfirmDatafilesRequest> asked = new ArrayList<>();
        boolean down;

        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            assertThat(server).isEqualTo(new ServerAddress("mds", 2));
            if (down) {
                return CompletableFuture.completedFuture(Reply.refused(request.kind(), FsError.UNREACHABLE, "down"));
            }
            ConfirmDatafilesRequest body = (ConfirmDatafilesRequest) request.body();
            asked.add(body);
            ConfirmDatafilesReply.Builder reply = ConfirmDatafilesReply.newBuilder();
            body.getDatafilesList()
                    .forEach(each ->
                            reply.addVerdicts(verdicts.getOrDefault(new Handle(each.getDatafile()), Verdict.PENDING)));
            return CompletableFuture.completedFuture(Reply.ok(reply.build()));
        }

        @Override
        public void close() {}
    }

    private ConfirmDatafiles duty(IoRig rig) {
        return duty(rig, rig.clock);
    }

    private ConfirmDatafiles duty(IoRig rig, Clock clock) {
        return new ConfirmDatafiles(
                rig.store,
                rig.core().lanes(),
                shard,
                () -> Optional.of(MAP),
                clock,
                scheduler,
                Runnable::run,
                rig.core().counters(),
                AFTER_MILLIS,
                1000);
    }

    /** One page: the task that is due, and what the lanes then have to do. */
    private void runRound(IoRig rig) {
        scheduled.remove().run();
        rig.core().lanes().runQueued();
    }

    private static Handle make(IoRig rig, int index) {
        return new Handle(IoRig.written(rig.ask(
                        Kind.WRITE,
                        IoRig.write(Handle.NONE, 0, BYTES, true)
                                .setIndex(index)
                                .setWriteGeneration(7)
                                .build(),
                        BYTES))
                .getDatafile());
    }

    @Test
    void verdictsAreCarriedOut() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle attached = make(rig, 0);
            Handle pending = make(rig, 1);
            Handle never = make(rig, 2);
            shard.verdicts.put(attached, Verdict.ATTACHED);
            shard.verdicts.put(never, Verdict.NEVER);
            duty(rig).start();

            runRound(rig);
            assertThat(shard.asked).as("too young to ask").isEmpty();

            rig.clock.millis += AFTER_MILLIS;
            runRound(rig);
            assertThat(shard.asked).singleElement().satisfies(request -> {
                assertThat(request.getDatafilesList()).hasSize(3).allSatisfy(each -> {
                    assertThat(each.getMetafile()).isEqualTo(IoRig.METAFILE.value());
                    assertThat(each.getWriteGeneration()).isEqualTo(7);
                });
                assertThat(request.getDatafilesList())
                        .extracting(ConfirmDatafilesRequest.Datafile::getIndex)
                        .containsExactlyInAnyOrder(0, 1, 2);
            });
            assertThat(rig.content(attached)).isEqualTo(BYTES);
            assertThat(rig.content(pending)).isEqualTo(BYTES);
            assertThat(IoRig.errorOf(rig.stat(never))).isEqualTo(FsError.NO_SUCH_DATAFILE);

            // The pending one is asked again, the others are settled; also after a crash that synced all.
            make(rig, 3);
            rig.crash(new Random(1));
            scheduled.clear();
            duty(rig).start();
            shard.verdicts.put(pending, Verdict.ATTACHED);
            runRound(rig);
            assertThat(shard.asked.get(1).getDatafilesList())
                    .extracting(each -> new Handle(each.getDatafile()))
                    .containsExactly(pending);
            rig.clock.millis += AFTER_MILLIS;
            runRound(rig);
            assertThat(shard.asked.get(2).getDatafilesList())
                    .extracting(ConfirmDatafilesRequest.Datafile::getIndex)
                    .containsExactly(3);
        }
    }

    /** Rows that are none, before, between and behind those of others. */
    @Test
    void rowsThatAreNoneHoldUpNoOther() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle never = make(rig, 0);
            Handle cut = make(rig, 1);
            Handle attached = make(rig, 2);
            shard.verdicts.put(never, Verdict.NEVER);
            shard.verdicts.put(attached, Verdict.ATTACHED);
            try (Overlay overlay = rig.store.overlay()) {
                overlay.put(DatafileTables.UNCONFIRMED, new byte[] {0}, new byte[8]);
                overlay.put(DatafileTables.UNCONFIRMED, DatafileTables.key(cut), new byte[] {1, 2, 3});
                overlay.put(DatafileTables.UNCONFIRMED, new byte[] {-1, -1}, new byte[0]);
                rig.store.commit(overlay, true);
            }
            StatusReply status = (StatusReply) IoRig.ok(rig.ask(Kind.STATUS, StatusRequest.getDefaultInstance()))
                    .body();
            assertThat(status.getGaugesMap()).containsEntry("datafiles.unconfirmed", 2L);

            rig.clock.millis += AFTER_MILLIS;
            duty(rig).start();
            runRound(rig);
            assertThat(IoRig.errorOf(rig.stat(never))).isEqualTo(FsError.NO_SUCH_DATAFILE);
            assertThat(rig.content(cut)).isEqualTo(BYTES);
            assertThat(rig.core().counters().read())
                    .containsEntry("confirm.attached", 1L)
                    .containsEntry("confirm.unreadable", 2L);
        }
    }

    @Test
    void aShardThatDoesNotAnswerIsAskedAgain() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle never = make(rig, 0);
            shard.verdicts.put(never, Verdict.NEVER);
            rig.clock.millis += AFTER_MILLIS;
            duty(rig).start();
            shard.down = true;
            runRound(rig);
            assertThat(rig.content(never)).isEqualTo(BYTES);
            shard.down = false;
            runRound(rig);
            assertThat(IoRig.errorOf(rig.stat(never))).isEqualTo(FsError.NO_SUCH_DATAFILE);
        }
    }

    /** Hours would pass until the clock is where it was. */
    @Test
    void oneMadeBeforeTheClockWasSetBackIsDue() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle never = make(rig, 0);
            shard.verdicts.put(never, Verdict.NEVER);
            rig.clock.millis -= 3 * 3_600_000;
            Handle young = make(rig, 1);
            duty(rig).start();
            runRound(rig);
            assertThat(shard.asked)
                    .singleElement()
                    .satisfies(request -> assertThat(request.getDatafilesList())
                            .extracting(each -> new Handle(each.getDatafile()))
                            .containsExactly(never));
            assertThat(IoRig.errorOf(rig.stat(never))).isEqualTo(FsError.NO_SUCH_DATAFILE);
            assertThat(rig.content(young)).isEqualTo(BYTES);
        }
    }

    @Test
    void oneMadeWhileAPageIsGoneThroughIsYoung() throws IOException {
        try (IoRig rig = new IoRig()) {
            make(rig, 0);
            AtomicBoolean made = new AtomicBoolean();
            Clock clock = new Clock() {
                @Override
                public long monotonicNanos() {
                    return rig.clock.monotonicNanos();
                }

                /** What it says is past as soon as it is said. */
                @Override
                public long wallMillis() {
                    long now = rig.clock.wallMillis();
                    if (made.compareAndSet(false, true)) {
                        rig.clock.millis++;
                        make(rig, 1);
                    }
                    return now;
                }
            };
            duty(rig, clock).start();
            runRound(rig);
            assertThat(made).isTrue();
            assertThat(shard.asked).isEmpty();
        }
    }

    @Test
    void manyAreAskedInPages() throws IOException {
        try (IoRig rig = new IoRig()) {
            for (int index = 0; index < 2500; index++) {
                make(rig, index);
            }
            rig.clock.millis += AFTER_MILLIS;
            duty(rig).start();
            for (int page = 0; page < 3; page++) {
                runRound(rig);
            }
            assertThat(shard.asked)
                    .extracting(ConfirmDatafilesRequest::getDatafilesCount)
                    .containsExactly(1000, 1000, 500);
            assertThat(scheduled).as("the next round").hasSize(1);
        }
    }

    @Test
    void aRowThatIsNoneHoldsUpNoOther() throws IOException {
        try (IoRig rig = new IoRig()) {
            List<Handle> made = new ArrayList<>();
            for (int index = 0; index < 1500; index++) {
                made.add(make(rig, index));
            }
            Handle bad =
                    made.stream().min(Comparator.comparingLong(Handle::value)).orElseThrow();
            try (Overlay overlay = rig.store.overlay()) {
                overlay.put(DatafileTables.DATAFILE, DatafileTables.key(bad), new byte[] {7});
                rig.store.commit(overlay, true);
            }
            rig.clock.millis += AFTER_MILLIS;
            duty(rig).start();
            runRound(rig);
            runRound(rig);
            assertThat(shard.asked)
                    .extracting(ConfirmDatafilesRequest::getDatafilesCount)
                    .containsExactly(999, 500);
        }
    }

    @Test
    void aClosedDutyAsksNothing() throws IOException {
        try (IoRig rig = new IoRig()) {
            make(rig, 0);
            rig.clock.millis += AFTER_MILLIS;
            ConfirmDatafiles duty = duty(rig);
            duty.start();
            duty.close();
            runRound(rig);
            assertThat(shard.asked).isEmpty();
            assertThat(scheduled).isEmpty();
        }
    }
}
