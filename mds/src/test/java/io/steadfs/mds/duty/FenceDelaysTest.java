package io.steadfs.mds.duty;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.call.DutyPursuits;
import io.steadfs.mds.call.PursuitGround;
import io.steadfs.mds.intent.AwaitedShards;
import io.steadfs.mds.intent.IntentPeers;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.name.RemoveUnlinked;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Peers;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.mds.pipeline.ShardLimits;
import io.steadfs.mds.pipeline.Totals;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileUnlinked;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.UnlinkedFiles;
import io.steadfs.mds.session.UnlinkedRemoval;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.NoCopies;
import io.steadfs.mds.testing.NoIntents;
import io.steadfs.mds.testing.State;
import io.steadfs.outage.Outages;
import io.steadfs.rpc.Reply;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.ReadView;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.FenceSessionsReply;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Metafiles that ended sessions left without a name at shard 0 of two, and that cannot be removed for some time. */
class FenceDelaysTest {
    private static final int HOUR_MILLIS = 3_600_000;

    private final SimulatedTime time = new SimulatedTime(1);
    private final MemoryStore store = new MemoryStore(ShardTables.ALL);
    private final LocalLog log = new LocalLog(store);
    private final Inputs inputs = new Inputs(
            FixedInputs.WALL_MILLIS,
            0,
            FixedInputs.CLUSTER.toBuilder().setShardCount(2).build(),
            0,
            Handle.MAX_SEQUENCE);
    private final ShardCore core =
            new ShardCore(log, view -> inputs, new ShardLimits(10, 1 << 20, 10, 1 << 20), Totals.NONE, records -> {});
    private final Shard shard = command -> {
        core.submit(command);
        time.after(0, core::step);
    };

    private final List<String> lines = new ArrayList<>();
    private int questions;
    private Reply answer = Reply.ok(FenceSessionsReply.getDefaultInstance());

    private SessionFence fence(SessionFence.Removing removing) {
        Peers peers = (to, kind, step, caller, body) -> {
            questions++;
            return CompletableFuture.completedFuture(answer);
        };
        PursuitGround ground = PursuitGround.of(
                shard,
                peers,
                NoCopies.questions(),
                new IntentPeers(0, peers, log::committed),
                new AwaitedShards(),
                new NoIntents(),
                time,
                time,
                1000,
                new SplittableRandom(1));
        return new SessionFence(
                log::committed,
                new DutyPursuits("SessionFence", ground),
                new Outages("shard 0", time, lines::add),
                8_000,
                time,
                FixedInputs.confirmed(2),
                removing);
    }

    private static Handle file(int number) {
        return Handle.of(Handle.shardOwner(0), 0, number);
    }

    private void leave(long session, int first, int count) {
        List<LogRecord> records = new ArrayList<>();
        records.add(new SessionPut(new Session(session, "test", "anna", 1, 5, true)));
        for (int number = first; number < first + count; number++) {
            records.add(new MetafileSet(
                    file(number),
                    MetafileRow.newBuilder().setUnlinkedSession(session).build()));
            records.add(new FileUnlinked(session, file(number)));
        }
        State.in(store).replay(records);
    }

    private boolean isLeft(long session) {
        return UnlinkedFiles.hasAny(log.committed(), session);
    }

    private void refuse(FsError error) {
        answer = Reply.refused(Kind.FENCE_SESSIONS, error, "as the test asked");
    }

    @Test
    void aShardThatIsDownForAnHourIsLoggedOnceAMinute() {
        leave(5, 100, 1);
        leave(6, 200, 1);
        refuse(FsError.UNREACHABLE);
        SessionFence fence = fence(RemoveUnlinked::new);
        fence.start();
        time.runFor(HOUR_MILLIS);
        assertThat(questions).as("questions in rounds of a second").isGreaterThan(7_000);
        assertThat(lines).hasSizeBetween(59, 61);
        assertThat(lines.get(0))
                .isEqualTo("shard 0: 1 metafiles that session " + Session.name(5) + " made without a name stay for now:"
                        + " BUSY: shard 1 answered UNREACHABLE, as the test asked");
        answer = Reply.ok(FenceSessionsReply.getDefaultInstance());
        time.runUntil("they are removed", () -> !isLeft(5) && !isLeft(6), 10_000);
        time.runFor(2_000);
        fence.stop();
        assertThat(lines.get(lines.size() - 1))
                .contains("the removal of metafiles without a name is well again after 3600 s");
    }

    @Test
    void aShardThatRefusesForGoodIsLoggedOnceAMinute() {
        leave(5, 100, 1);
        refuse(FsError.FAULT);
        SessionFence fence = fence(RemoveUnlinked::new);
        fence.start();
        time.runFor(HOUR_MILLIS);
        fence.stop();
        assertThat(lines).hasSizeBetween(59, 61);
        assertThat(lines.get(0)).endsWith("stay for now: shard 1 answered FAULT, as the test asked");
        assertThat(isLeft(5)).isTrue();
    }

    /** A removal whose decision breaks at the first metafile of its session. */
    private static InternalCommand<UnlinkedRemoval> breaking(long session, List<Handle> files, int shards) {
        return new InternalCommand<>() {
            private final RemoveUnlinked command = new RemoveUnlinked(session, files, shards);

            @Override
            public Decision<UnlinkedRemoval> decide(ReadView view, Inputs inputs) {
                if (files.contains(file(100))) {
                    throw new IllegalStateException("broken as the test asked");
                }
                return command.decide(view, inputs);
            }
        };
    }

    @Test
    void metafilesBehindOnesThatBreakAreRemoved() {
        leave(5, 100, SessionFence.PAGE + 1);
        SessionFence fence = fence(FenceDelaysTest::breaking);
        fence.start();
        time.runFor(5_000);
        fence.stop();
        assertThat(UnlinkedFiles.has(log.committed(), 5, file(100))).isTrue();
        assertThat(UnlinkedFiles.has(log.committed(), 5, file(100 + SessionFence.PAGE)))
                .as("behind the first page")
                .isFalse();
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0)).contains("256 metafiles", "broken as the test asked");
    }
}
