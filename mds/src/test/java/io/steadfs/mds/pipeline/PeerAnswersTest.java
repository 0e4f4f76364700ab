package io.steadfs.mds.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DeleteReply;
import io.steadfs.wire.proto.DeleteRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What a decision is given beside the state, and how a command of the server itself ends. */
class PeerAnswersTest {
    private static final Need FIRST = new Need.Ask(1, Kind.DELETE, DeleteRequest.getDefaultInstance());
    private static final Need SECOND = new Need.Ask(2, Kind.DELETE, DeleteRequest.getDefaultInstance());
    private static final Reply REPLY = Reply.ok(DeleteReply.getDefaultInstance());

    @Test
    void anAnswerThatWasLookedAtCountsAsUsedInThatRunOnly() {
        PeerAnswers answers = PeerAnswers.none().with(Map.of(FIRST, REPLY, SECOND, REPLY));
        assertThat(answers.used()).isEmpty();
        assertThat(answers.get(FIRST)).isSameAs(REPLY);
        assertThat(answers.used()).containsExactly(FIRST);
        assertThat(answers.again().used()).isEmpty();
        assertThat(answers.again().find(SECOND)).contains(REPLY);
        assertThat(answers.with(Map.of()).used()).isEmpty();
        assertThat(answers.with(Map.of()).find(FIRST)).contains(REPLY);
    }

    @Test
    void anAnswerThatIsNotThereIsAskedForAndNotUsed() {
        PeerAnswers answers = PeerAnswers.none();
        assertThat(answers.find(FIRST)).isEmpty();
        assertThatThrownBy(() -> answers.get(FIRST))
                .isInstanceOfSatisfying(
                        Missing.class, missing -> assertThat(missing.needs()).containsExactly(FIRST))
                .hasNoSuppressedExceptions()
                .hasMessageContaining("needs");
        assertThat(answers.used()).isEmpty();
        assertThatThrownBy(() -> new Missing(Set.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void inputsKeepAllThatIsNotReplaced() {
        Inputs inputs = new Inputs(11, 0, FixedInputs.CLUSTER, 3, 7, 1000, FixedInputs.STARTS);
        assertThat(inputs.full()).isEmpty();
        PeerAnswers answers = PeerAnswers.none().with(Map.of(FIRST, REPLY));
        Inputs changed = inputs.with(DirectoryTimes.RELAXED)
                .with(answers)
                .with(Optional.of("full"))
                .withNamesPerSecond(12.5);
        assertThat(changed)
                .isEqualTo(new Inputs(
                        11,
                        0,
                        FixedInputs.CLUSTER,
                        3,
                        7,
                        1000,
                        answers,
                        Optional.of("full"),
                        AncestorCopies.NONE,
                        FixedInputs.STARTS,
                        DirectoryTimes.RELAXED,
                        12.5));
        assertThat(inputs.holder()).isNotEqualTo(new Inputs(11, 1, FixedInputs.CLUSTER, 3, 7, 1000).holder());
        assertThat(inputs.holder()).isNotEqualTo(new Inputs(11, 0, FixedInputs.CLUSTER, 4, 7, 1000).holder());
        assertThat(inputs.holder()).isNotEqualTo(new Inputs(11, 0, FixedInputs.CLUSTER, 3, 8, 1000).holder());
    }

    @Test
    void bothTotalsAreKept() {
        Totals one = (decided, before) -> List.of(view -> {});
        Totals two = (decided, before) -> List.of(view -> {}, view -> {});
        ReadView none = new State().view();
        assertThat(one.and(two).of(List.of(), none)).hasSize(3);
        assertThat(Totals.NONE.of(List.of(view -> {}), none)).isEmpty();
    }

    private static final class Own extends InternalCommand<Long> {
        @Override
        public Decision<Long> decide(ReadView view, Inputs inputs) {
            return Decision.of(1L);
        }
    }

    @Test
    void theFutureOfACommandOfTheServerEndsAsTheCommandDoes() {
        Own answered = new Own();
        answered.answered(4L);
        assertThat(answered.outcome().join()).isEqualTo(4L);

        Own failed = new Own();
        failed.failed(new IllegalStateException("disk"));
        assertThatThrownBy(failed.outcome()::join)
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("disk");

        Own dropped = new Own();
        dropped.dropped(FsError.BUSY, "queue is full");
        assertThatThrownBy(dropped.outcome()::join)
                .cause()
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.error()).isEqualTo(FsError.BUSY));
    }
}
