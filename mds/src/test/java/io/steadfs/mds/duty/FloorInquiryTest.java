package io.steadfs.mds.duty;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.mds.intent.IntentFinished;
import io.steadfs.mds.intent.IntentPeers;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.op.intent.RaiseFloor;
import io.steadfs.mds.pipeline.Command;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.IntentStatusReply;
import io.steadfs.wire.proto.IntentStatusRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Floors come from what the coordinators themselves answer. */
class FloorInquiryTest {
    private static final long LONG_MILLIS = 60_000;

    private final SimulatedTime time = new SimulatedTime(1);
    private final State state = new State();
    private final Map<Integer, Long> lowestOpen = new HashMap<>();
    private final List<Integer> asked = new ArrayList<>();
    private final Shard shard = this::run;
    private final FloorInquiry inquiry = new FloorInquiry(
            state::view,
            shard,
            new IntentPeers(0, (to, kind, step, caller, body) -> answer(to, kind, body), state::view),
            time,
            RaiseFloor::new);

    private <A> void run(Command<A> command) {
        command.answered(state.apply(command.decide(state.view(), FixedInputs.now())));
    }

    /** Coordinators that are not in the table are away. */
    private CompletableFuture<Reply> answer(int to, Kind kind, MessageLite body) {
        assertThat(kind).isEqualTo(Kind.INTENT_STATUS);
        assertThat(((IntentStatusRequest) body).getIntent()).isPositive();
        asked.add(to);
        Long lowest = lowestOpen.get(to);
        return CompletableFuture.completedFuture(
                lowest == null
                        ? Reply.refused(Kind.INTENT_STATUS, FsError.UNREACHABLE, "away")
                        : Reply.ok(IntentStatusReply.newBuilder()
                                .setState(IntentStatusReply.State.FORGOTTEN)
                                .setLowestOpen(lowest)
                                .build()));
    }

    private void finished(int coordinator, int intents) {
        for (long intent = 1; intent <= intents; intent++) {
            state.replay(List.of(new IntentFinished(coordinator, intent)));
        }
    }

    private long floor(int coordinator) {
        return PreparedSlots.floor(state.view(), coordinator);
    }

    @AfterEach
    void stop() {
        inquiry.stop();
    }

    @Test
    void whatEachCoordinatorSaysIsItsFloorAndWhatIsBelowIsForgotten() {
        finished(1, 600);
        finished(2, 5);
        lowestOpen.putAll(Map.of(1, 601L, 2, 4L));
        inquiry.start();
        time.runUntil("both floors are raised", () -> floor(1) == 601 && floor(2) == 4, LONG_MILLIS);
        assertThat(PreparedSlots.finished(state.view(), 1, 0, Long.MAX_VALUE, 10))
                .isEmpty();
        assertThat(PreparedSlots.finished(state.view(), 2, 0, Long.MAX_VALUE, 10))
                .containsExactly(4L, 5L);
        asked.clear();
        time.runFor(LONG_MILLIS);
        assertThat(asked).as("the other one has nothing left here").containsOnly(2);
    }

    @Test
    void whereNothingWasFinishedNobodyIsAsked() {
        inquiry.start();
        time.runFor(LONG_MILLIS);
        assertThat(asked).isEmpty();
    }

    @Test
    void aCoordinatorThatIsAwayHoldsUpNoOtherAndIsAskedAgain() {
        finished(1, 1);
        finished(2, 1);
        lowestOpen.put(2, 2L);
        inquiry.start();
        time.runUntil("the other one's floor is raised", () -> floor(2) == 2, LONG_MILLIS);
        assertThat(floor(1)).isEqualTo(1);
        lowestOpen.put(1, 2L);
        time.runUntil("it is asked again", () -> floor(1) == 2, LONG_MILLIS);
    }

    @Test
    void anAnswerThatTellsNothingRaisesNothing() {
        finished(1, 3);
        lowestOpen.put(1, 0L);
        inquiry.start();
        time.runUntil("it is asked for the third time", () -> asked.size() > 2, LONG_MILLIS);
        assertThat(floor(1)).isEqualTo(1);
        assertThat(PreparedSlots.finished(state.view(), 1, 0, Long.MAX_VALUE, 10))
                .containsExactly(1L, 2L, 3L);
    }
}
