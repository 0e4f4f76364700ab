package io.steadfs.mds.duty;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ExpireSession;
import io.steadfs.mds.pipeline.Command;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.session.RecoveryQueued;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.State;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A duty whose work fails for one thing goes on with the others. */
class BrokenDutiesTest {
    private static final Handle FIRST = Handle.of(Handle.shardOwner(0), 0, 10);
    private static final Handle SECOND = Handle.of(Handle.shardOwner(0), 0, 11);

    private final SimulatedTime time = new SimulatedTime(1);
    private final List<Handle> tried = new ArrayList<>();

    /** Ends at once: answered, or dropped as broken. */
    private static final class Step extends InternalCommand<Boolean> {
        private final boolean broken;

        Step(boolean broken) {
            this.broken = broken;
        }

        @Override
        public Decision<Boolean> decide(ReadView view, Inputs inputs) {
            return Decision.of(false);
        }
    }

    private static void end(Command<?> command) {
        if (command instanceof Step step && step.broken) {
            step.dropped(FsError.FAULT, "broken as the test asked");
        } else if (command instanceof Step step) {
            step.answered(false);
        }
    }

    @Test
    void aTreeThatCannotBeClearedHoldsUpNoOther() {
        State state = State.of(new TreeQueued(FIRST), new TreeQueued(SECOND));
        TreeReclaim reclaim = new TreeReclaim(state::view, BrokenDutiesTest::end, time, directory -> {
            tried.add(directory);
            return new Step(directory.equals(FIRST));
        });
        reclaim.start();
        time.runUntil("both are tried", () -> tried.contains(SECOND), 1000);
        time.runUntil("the first is tried again", () -> tried.lastIndexOf(FIRST) > tried.indexOf(SECOND), 20_000);
        reclaim.stop();
        assertThat(tried).startsWith(FIRST, SECOND);
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
        FileRecovery recovery =
                new FileRecovery(state::view, BrokenDutiesTest::end, nobody, time, (metafile, generation, lengths) -> {
                    tried.add(metafile);
                    if (metafile.equals(FIRST)) {
                        throw new IllegalStateException("broken as the test asked");
                    }
                    return new Step(false);
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
        SessionReaper reaper = new SessionReaper(state::view, shard, times, 1000, time, time, ExpireSession::new);
        reaper.start();
        time.runUntil("its end is queued", () -> !queue.isEmpty(), 5000);
        assertThat(queue.get(0).isCancelled()).isFalse();
        times.heard(5, time.monotonicNanos());
        assertThat(queue.get(0).isCancelled()).isTrue();
        queue.get(0).dropped(FsError.CANCELLED, "heard of");
        time.runUntil("it is silent again", () -> queue.size() > 1, 5000);
        reaper.stop();
        assertThat(queue.get(1).isCancelled()).isFalse();
    }
}
