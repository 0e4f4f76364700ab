package io.steadfs.it.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.it.exhaustive.AncestorCopy.Kind;
import io.steadfs.it.exhaustive.AncestorCopy.More;
import io.steadfs.it.exhaustive.AncestorCopy.Without;
import io.steadfs.it.exhaustive.Exploration.Trace;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * No state of the model of ancestors' copies is wrong; and each rule of it is needed: without it there is one. States, time
 * and the shortest ways to the wrong ones are printed.
 */
class CopyExplorationTest {
    private static Optional<Trace> explored(Kind kind) {
        return Explored.of(new AncestorCopy(kind));
    }

    @Test
    void twoChangesComeOneAfterTheOther() {
        assertThat(explored(new Kind(2, 2, Explored.LONG ? 5 : 3))).isEmpty();
    }

    @Test
    void readersMeetOneMeaningAtATime() {
        assertThat(explored(new Kind(1, 2, Explored.LONG ? 4 : 2, More.READER))).isEmpty();
    }

    @Test
    void whoAsksByAHandleMeetsOneOrderToo() {
        assertThat(explored(new Kind(1, Explored.LONG ? 2 : 1, 4, More.READER_BY_HANDLE)))
                .isEmpty();
    }

    @Test
    void aChangeThatIsGivenUpDoesNotWaitLongerNextTime() {
        assertThat(explored(new Kind(Explored.LONG ? 2 : 1, 2, 3, More.GIVING_UP)))
                .isEmpty();
    }

    @Test
    void bothMayStartAnew() {
        assertThat(explored(new Kind(1, Explored.LONG ? 2 : 1, 3, More.START_OF_OWNER, More.START_OF_HOLDER)))
                .isEmpty();
    }

    @Test
    void bothMayStartAnewUnderAReader() {
        int ticks = Explored.LONG ? 4 : 3;
        assertThat(explored(new Kind(1, 1, ticks, More.START_OF_OWNER, More.START_OF_HOLDER, More.READER)))
                .isEmpty();
    }

    /** A model that refuses everything would have no wrong state either. An owner that has just started waits for ticks. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "START_OF_OWNER")
    void allMayGoWell(More accident) {
        AncestorCopy model = new AncestorCopy(new Kind(1, 2, 2, accident));
        assertThat(Explored.goodEnd(model, model::isGoodEnd)).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "ANSWER_AFTER_THE_BATCH, ORDER: somebody",
        "NO_READ_WITH_A_LATE_BATCH, ORDER: somebody",
        "LATE_BATCH_BEFORE_VIEW, ORDER: somebody",
        "END_BEFORE_LAST_LOOK, ORDER: somebody",
        "LAST_LOOK, ORDER: somebody",
        "RECALL_OF_QUESTIONS, D1: a batch",
        "QUESTIONS_OF_ONE_LIFE, D1: a batch",
        "NUMBER_OF_RECALLS, D1: a batch",
        "HELD_ROW, D1: a batch",
        "HOLD_UNTIL_DURABLE, D1: a batch",
        "NOTE_BEFORE_READ, D1: a batch",
        "OWED_RECALL, D4: a change waits",
        "TERM_FROM_THE_QUESTION, D1: a batch",
        "TERM, D1: a reader",
        "TERM_OF_AN_EARLIER_LIFE, D1: a batch",
        "COPY_BEFORE_VIEW, ORDER: somebody",
        "COPY_AFTER_VIEW, VIEW: a reader"
    })
    void everyRuleIsNeeded(Without rule, String wrong) {
        Kind kind = switch (rule) {
            case NUMBER_OF_RECALLS -> new Kind(2, 2, 2);
            case OWED_RECALL -> new Kind(1, 2, 3, More.GIVING_UP);
            case QUESTIONS_OF_ONE_LIFE -> new Kind(1, 1, 3, More.START_OF_HOLDER);
            case TERM_OF_AN_EARLIER_LIFE -> new Kind(1, 1, 3, More.START_OF_OWNER);
            case TERM -> new Kind(1, 1, 3, More.READER);
            case COPY_BEFORE_VIEW, COPY_AFTER_VIEW -> new Kind(1, 2, 1, More.READER);
            default -> new Kind(1, 1, 3, More.READER_BY_HANDLE);
        };
        Optional<Trace> found = explored(kind.without(rule));
        assertThat(found).isPresent();
        assertThat(found.get().wrong()).startsWith(wrong);
    }

    @Test
    void everyRuleIsLeftOutOnce() throws NoSuchMethodException {
        CsvSource rules = CopyExplorationTest.class
                .getDeclaredMethod("everyRuleIsNeeded", Without.class, String.class)
                .getAnnotation(CsvSource.class);
        assertThat(rules.value()).hasSize(Without.values().length);
    }
}
