package io.steadfs.mds.duty;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cluster.HomeShard;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.call.DutyPursuits;
import io.steadfs.mds.call.PursuitGround;
import io.steadfs.mds.deletion.Clearing;
import io.steadfs.mds.deletion.DatafilesQueued;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.intent.AwaitedShards;
import io.steadfs.mds.intent.IntentDecided;
import io.steadfs.mds.intent.IntentPeers;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.name.RemoveUnlinked;
import io.steadfs.mds.op.session.ExpireSession;
import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.NoticeQueued;
import io.steadfs.mds.pipeline.Command;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Peers;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.session.FileUnlinked;
import io.steadfs.mds.session.RecoveryQueued;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.NoCopies;
import io.steadfs.mds.testing.NoIntents;
import io.steadfs.mds.testing.State;
import io.steadfs.outage.Outages;
import io.steadfs.rpc.Reply;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.FenceSessionsReply;
import io.steadfs.wire.proto.FenceSessionsRequest;
import io.steadfs.wire.proto.FinishReply;
import io.steadfs.wire.proto.NotifyReply;
import io.steadfs.wire.proto.SessionStatusReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A duty whose work fails for one thing goes on with the others. */
class BrokenDutiesTest {
    private static final Handle FIRST = Handle.of(Handle.shardOwner(0), 0, 10);
    private static final Handle SECOND = Handle.of(Handle.shardOwner(0), 0, 11);

    private final SimulatedTime time = new SimulatedTime(1);
    private final List<Handle> tried = new ArrayList<>();
    private int calls;

    /** Ends at once: answered, or dropped as broken. */
    private static final class Step<A> extends InternalCommand<A> {
        private final boolean broken;
        private final A answer;

        Step(boolean broken, A answer) {
            this.broken = broken;
            this.answer = answer;
        }

        @Override
        public Decision<A> decide(ReadView view, Inputs inputs) {
            return Decision.of(answer);
        }

        void end() {
            if (broken) {
                dropped(FsError.FAULT, "broken as the test asked");
            } else {
                answered(answer);
            }
        }
    }

    private static void end(Command<?> command) {
        if (command instanceof Step<?> step) {
            step.end();
        }
    }

    @Test
    void aTreeThatCannotBeClearedHoldsUpNoOther() {
        State state = State.of(new TreeQueued(FIRST), new TreeQueued(SECOND));
        TreeReclaim reclaim = new TreeReclaim(state::view, BrokenDutiesTest::end, time, directory -> {
            tried.add(directory);
            return new Step<>(directory.equals(FIRST), Clearing.DONE);
        });
        reclaim.start();
        time.runUntil("both are tried", () -> tried.contains(SECOND), 1000);
        time.runUntil("the first is tried again", () -> tried.lastIndexOf(FIRST) > tried.indexOf(SECOND), 20_000);
        reclaim.stop();
        assertThat(tried).startsWith(FIRST, SECOND);
    }

    @Test
    void aTreeWhoseNamesAreHeldHoldsUpNoOther() {
        State state = State.of(new TreeQueued(FIRST), new TreeQueued(SECOND));
        TreeReclaim reclaim = new TreeReclaim(state::view, BrokenDutiesTest::end, time, directory -> {
            tried.add(directory);
            return new Step<>(false, Clearing.HELD);
        });
        reclaim.start();
        time.runFor(20_000);
        reclaim.stop();
        assertThat(tried).startsWith(FIRST, SECOND, FIRST, SECOND);
        assertThat(tried).as("with pauses that grow").hasSizeBetween(6, 14);
    }

    @Test
    void aFileWhoseRecoveryBreaksIsTriedAgainAndHoldsUpNoOther() {
        MetafileRow row = MetafileRow.newBuilder().setRecovering(true).build();
        State state = State.of(
                new MetafileSet(FIRST, row),
                new RecoveryQueued(FIRST),
                new MetafileSet(SECOND, row),
                new RecoveryQueued(SECOND));
        IoServers nobody = new IoServers(new MemoryNetwork(time, 1).client("mds"), () -> FixedInputs.CLUSTER, 1000);
        FileRecovery recovery = new FileRecovery(
                state::view,
                BrokenDutiesTest::end,
                nobody,
                time,
                (file, lengths) -> Map.of(),
                (metafile, generation, lengths) -> {
                    tried.add(metafile);
                    if (metafile.equals(FIRST)) {
                        throw new IllegalStateException("broken as the test asked");
                    }
                    return new Step<>(false, false);
                },
                (metafile, generation, above) -> {
                    throw new AssertionError("no IO server is asked");
                });
        recovery.start();
        time.runFor(200);
        assertThat(tried).containsExactly(FIRST, SECOND);
        time.runFor(5_000);
        recovery.stop();
        assertThat(tried).containsExactly(FIRST, SECOND, FIRST, SECOND);
    }

    @Test
    void aSessionHeardOfBeforeItsEndIsDecidedDoesNotEnd() {
        SessionTimes times = new SessionTimes();
        State state = State.of(new SessionPut(new Session(5, "test", "anna", 1, 5, false)));
        List<Command<?>> queue = new ArrayList<>();
        Shard shard = queue::add;
        SessionReaper reaper = new SessionReaper(
                state::view,
                shard,
                times,
                1000,
                time,
                time,
                new SessionReaper.GuestSessions(0, () -> FixedInputs.counts(1), (home, request) -> {
                    throw new AssertionError("one shard has no guests");
                }),
                ExpireSession::new,
                (now, stoodStill) -> {});
        reaper.start();
        time.runUntil("its end is queued", () -> !queue.isEmpty(), 5000);
        assertThat(queue.get(0).isCancelled()).isFalse();
        times.heard(5, "anna", time.monotonicNanos());
        assertThat(queue.get(0).isCancelled()).isTrue();
        queue.get(0).dropped(FsError.CANCELLED, "heard of");
        time.runUntil("it is silent again", () -> queue.size() > 1, 5000);
        reaper.stop();
        assertThat(queue.get(1).isCancelled()).isFalse();
    }

    /** Its first call throws, which no peer should do; the second brings nothing. */
    private <A> CompletableFuture<A> thirdTime(A answer) {
        switch (++calls) {
            case 1 -> throw new IllegalStateException("broken as the test asked");
            case 2 -> {
                return CompletableFuture.completedFuture(null);
            }
            default -> {
                return CompletableFuture.completedFuture(answer);
            }
        }
    }

    @Test
    void aShardThatCouldNotBeToldIsToldLater() {
        State state = State.of(new NoticeQueued(new Notice(Notice.Kind.UNLINKED_FILE, Handle.of(0x8001, 0, 10))));
        List<Notice> forgotten = new ArrayList<>();
        OutboxDrain drain = new OutboxDrain(
                state::view,
                BrokenDutiesTest::end,
                (target, request) -> thirdTime(Reply.ok(NotifyReply.getDefaultInstance())),
                time,
                time,
                notices -> {
                    forgotten.addAll(notices);
                    return new Step<>(forgotten.size() == 1, 1);
                });
        drain.start();
        time.runUntil("it is told, and told again", () -> forgotten.size() > 1, 60_000);
        drain.stop();
        assertThat(calls).isGreaterThan(3);
    }

    @Test
    void aServerThatCouldNotBeAskedToRemoveIsAskedLater() {
        State state = State.of(new DatafilesQueued(FIRST, List.of(Handle.of(1, 0, 10))));
        IoServers servers = new IoServers(
                new MemoryNetwork(time, 1).client("mds"),
                () -> {
                    if (++calls == 1) {
                        throw new IllegalStateException("broken as the test asked");
                    }
                    return FixedInputs.CLUSTER;
                },
                1000);
        DeletionDrain drain = new DeletionDrain(
                state::view, BrokenDutiesTest::end, servers, time, time, gone -> new Step<>(false, 1));
        drain.start();
        time.runUntil("it is asked again", () -> calls > 1, 60_000);
        drain.stop();
    }

    @Test
    void aSessionWhoseFenceBreaksHoldsUpNoOther() {
        State state = State.of(new FileUnlinked(5, FIRST), new FileUnlinked(6, SECOND));
        Inputs inputs = new Inputs(
                FixedInputs.WALL_MILLIS,
                0,
                FixedInputs.CLUSTER.toBuilder().setShardCount(2).build(),
                0,
                Handle.MAX_SEQUENCE);
        Peers peers = (shard, kind, step, caller, body) -> {
            Reply none = Reply.ok(FenceSessionsReply.getDefaultInstance());
            return ((FenceSessionsRequest) body).getSessions(0) == 5
                    ? thirdTime(none)
                    : CompletableFuture.completedFuture(none);
        };
        PursuitGround ground = PursuitGround.of(
                command -> decide(command, state, inputs),
                peers,
                NoCopies.questions(),
                new IntentPeers(0, peers, state::view),
                new AwaitedShards(),
                new NoIntents(),
                time,
                time,
                1000,
                new SplittableRandom(1));
        List<Long> begun = new ArrayList<>();
        List<Long> removed = new ArrayList<>();
        SessionFence fence = new SessionFence(
                state::view,
                new DutyPursuits("SessionFence", ground),
                new Outages("shard 0", time, line -> {}),
                10_000,
                time,
                FixedInputs.confirmed(2),
                (session, metafiles, shards) -> {
                    begun.add(session);
                    if (begun.size() == 1) {
                        throw new IllegalStateException("broken as the test asked");
                    }
                    RemoveUnlinked command = new RemoveUnlinked(session, metafiles, shards);
                    var unused = command.outcome().thenRun(() -> removed.add(session));
                    return command;
                });
        fence.start();
        time.runUntil("both are met", () -> removed.containsAll(List.of(5L, 6L)), 60_000);
        fence.stop();
        assertThat(removed).containsExactly(6L, 5L);
        assertThat(begun).startsWith(5L, 6L);
        assertThat(calls).isEqualTo(3);
    }

    private static <A> void decide(Command<A> command, State state, Inputs inputs) {
        command.answered(state.apply(command.decide(state.view(), inputs)));
    }

    @Test
    void anIntentWhoseFinishBreaksIsFinishedLater() {
        IntentRow row = IntentRow.newBuilder()
                .setState(IntentRow.State.DECIDED)
                .addSlots(IntentRow.Slot.newBuilder().setShard(1))
                .build();
        State state = State.of(new IntentDecided(1, row));
        Peers peers = (shard, kind, step, caller, body) -> thirdTime(Reply.ok(FinishReply.getDefaultInstance()));
        List<Long> closed = new ArrayList<>();
        IntentFinish finish = new IntentFinish(
                state::view,
                BrokenDutiesTest::end,
                new IntentPeers(0, peers, state::view),
                new AwaitedShards(),
                time,
                intent -> new Step<>(false, true),
                intent -> {
                    closed.add(intent);
                    if (closed.size() == 1) {
                        throw new IllegalStateException("broken as the test asked");
                    }
                    return new Step<>(false, true);
                });
        finish.start();
        time.runUntil("it is closed, at the second try", () -> closed.size() == 2, 60_000);
        finish.stop();
        assertThat(closed).containsExactly(1L, 1L);
    }

    @Test
    void aSessionWhoseEndBreaksIsEndedLater() {
        State state = State.of(new SessionPut(new Session(5, "test", "anna", 1, 5, false)));
        SessionReaper reaper = new SessionReaper(
                state::view,
                BrokenDutiesTest::end,
                new SessionTimes(),
                1000,
                time,
                time,
                new SessionReaper.GuestSessions(0, () -> FixedInputs.counts(1), (home, request) -> {
                    throw new AssertionError("one shard has no guests");
                }),
                (session, forget, heardAgain) -> {
                    if (++calls < 3) {
                        throw new IllegalStateException("broken as the test asked");
                    }
                    return new Step<>(false, false);
                },
                (now, stoodStill) -> {});
        reaper.start();
        time.runUntil("its end is tried a third time", () -> calls == 3, 5000);
        reaper.stop();
    }

    @Test
    void aHomeThatCouldNotBeAskedIsAskedLater() {
        State state = State.of(new SessionPut(new Session(guest(), "test", "anna", 1, 5, false)));
        List<Long> ended = new ArrayList<>();
        SessionReaper reaper = new SessionReaper(
                state::view,
                BrokenDutiesTest::end,
                new SessionTimes(),
                1000,
                time,
                time,
                new SessionReaper.GuestSessions(
                        0,
                        () -> FixedInputs.counts(2),
                        (home, request) -> thirdTime(Reply.ok(SessionStatusReply.newBuilder()
                                .addSessions(
                                        SessionStatusReply.Status.newBuilder().setSession(request.getSessions(0)))
                                .build()))),
                (session, forget, heardAgain) -> {
                    ended.add(session);
                    return new Step<>(false, false);
                },
                (now, stoodStill) -> {});
        reaper.start();
        time.runUntil("the guest is gone", () -> !ended.isEmpty(), 10_000);
        reaper.stop();
    }

    /** A session whose home is shard 1 of two. */
    private static long guest() {
        long session = 1;
        while (HomeShard.of(session, 2) == 0) {
            session++;
        }
        return session;
    }
}
