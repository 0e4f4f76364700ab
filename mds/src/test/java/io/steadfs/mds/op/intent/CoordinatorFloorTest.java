package io.steadfs.mds.op.intent;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.mds.intent.IntentClosed;
import io.steadfs.mds.intent.IntentFinished;
import io.steadfs.mds.intent.IntentOpened;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.testing.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tombstones of finished intents are taken away below the floor, and none is ever left there. */
class CoordinatorFloorTest {
    private static final int COORDINATOR = 1;
    private static final int FINISHED = 600;

    private final State state = new State();

    private long raised(long lowestOpen) {
        List<LogRecord> records = new ArrayList<>();
        CoordinatorFloor.raise(state.view(), COORDINATOR, lowestOpen, records);
        state.replay(records);
        return PreparedSlots.floor(state.view(), COORDINATOR);
    }

    private List<Long> finished() {
        return PreparedSlots.finished(state.view(), COORDINATOR, 0, Long.MAX_VALUE, Integer.MAX_VALUE);
    }

    @Test
    void theFloorStaysBelowTombstonesThatAreLeft() {
        for (long intent = 1; intent <= FINISHED; intent++) {
            state.replay(List.of(new IntentFinished(COORDINATOR, intent)));
        }

        for (int message = 0; message < 3; message++) {
            long floor = raised(FINISHED + 50);
            assertThat(finished()).allMatch(intent -> intent >= floor);
        }
        assertThat(PreparedSlots.floor(state.view(), COORDINATOR)).isEqualTo(FINISHED + 50);
        assertThat(finished()).isEmpty();
        assertThat(raised(3)).as("a late message does not lower it").isEqualTo(FINISHED + 50);
    }

    @Test
    void aTombstoneAtTheFloorStays() {
        state.replay(List.of(new IntentFinished(COORDINATOR, 4), new IntentFinished(COORDINATOR, 5)));

        assertThat(raised(5)).isEqualTo(5);
        assertThat(finished()).containsExactly(5L);
        assertThat(PreparedSlots.isPossible(state.view(), COORDINATOR, 4)).isFalse();
        assertThat(PreparedSlots.isPossible(state.view(), COORDINATOR, 5)).isFalse();
        assertThat(PreparedSlots.isPossible(state.view(), COORDINATOR, 6)).isTrue();
    }

    @Test
    void theLowestOpenIntentIsFoundFromAnEarlierAnswerOn() {
        for (long intent = 1; intent <= 5; intent++) {
            state.replay(List.of(new IntentOpened(intent, IntentRow.getDefaultInstance(), intent + 1)));
        }
        state.replay(List.of(new IntentClosed(1), new IntentClosed(3)));
        assertThat(Intents.lowestOpen(state.view(), 1)).isEqualTo(2);

        state.replay(List.of(new IntentClosed(2)));
        assertThat(Intents.lowestOpen(state.view(), 2)).isEqualTo(4);

        state.replay(List.of(new IntentClosed(4), new IntentClosed(5)));
        assertThat(Intents.lowestOpen(state.view(), 4)).as("the next number").isEqualTo(6);
    }
}
