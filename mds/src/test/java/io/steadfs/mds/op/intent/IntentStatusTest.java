package io.steadfs.mds.op.intent;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.mds.intent.IntentsSkipped;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Unsettled;
import io.steadfs.wire.proto.IntentStatusReply;
import io.steadfs.wire.proto.IntentStatusReply.State;
import io.steadfs.wire.proto.IntentStatusRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a coordinator says of an operation that it has no row of. */
class IntentStatusTest {
    private final Shell shell = new Shell();

    private Reply ask(long intent) {
        return new IntentStatus(() -> 1)
                .answer(
                        IntentStatusRequest.newBuilder().setIntent(intent).build(),
                        Shell.principal("root"),
                        shell.state.view(),
                        shell.inputs());
    }

    private State state(long intent) {
        return ((IntentStatusReply) ask(intent).body()).getState();
    }

    @Test
    void whatIsFinishedIsForgotten() {
        shell.state.replay(List.of(new IntentsSkipped(5)));
        assertThat(state(4)).isEqualTo(State.FORGOTTEN);
        assertThat(ask(5).error()).isEqualTo(FsError.INVALID_ARGUMENT);
    }

    /** Its row may be among what is lost: whoever took it for finished would undo what was acknowledged. */
    @Test
    void aShardThatIsNotSettledDoesNotKnow() {
        shell.state.replay(List.of(new IntentsSkipped(5)));
        shell.state.replay(List.of(view -> Unsettled.mark(view, ShardTables.META, "with an older state")));
        assertThat(state(4)).isEqualTo(State.STATE_UNSPECIFIED);
        shell.state.replay(List.of(view -> Unsettled.settle(view, ShardTables.META)));
        assertThat(state(4)).isEqualTo(State.FORGOTTEN);
    }
}
