package io.steadfs.it.exhaustive;

import static io.steadfs.it.exhaustive.HandOverKind.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.it.exhaustive.Exploration.Trace;
import io.steadfs.it.exhaustive.HandOverKind.More;
import io.steadfs.it.exhaustive.HandOverKind.Without;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No state of the model of hand overs is wrong, wherever the home shard is: beside the two others, the source or the target.
 * And its rules are needed: without one of them, or without two that stand in for each other, there is a wrong state.
 * States, time and the shortest ways to the wrong ones are printed.
 */
class HandOverExplorationTest {
    private static Optional<Trace> explored(HandOverKind kind) {
        return Explored.of(new PartitionHandOver(kind));
    }

    private static void isRight(HandOverKind kind) {
        assertThat(explored(kind)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {THIRD, 0, 1})
    void namesGoThereAndBack(int home) {
        isRight(HandOverKind.of(home, Explored.LONG ? 4 : 3)
                .names(2, 1, 0)
                .again()
                .andBack());
    }

    @ParameterizedTest
    @ValueSource(ints = {THIRD, 0, 1})
    void aCrashLosesWhatIsNotCommitted(int home) {
        isRight(HandOverKind.of(home, Explored.LONG ? 3 : 2).again().andBack().late(0, 1, 2));
    }

    @ParameterizedTest
    @ValueSource(ints = {THIRD, 0, 1})
    void aRenameHoldsAName(int home) {
        isRight(HandOverKind.of(home, Explored.LONG ? 3 : 2, More.RENAME)
                .again()
                .andBack());
        isRight(HandOverKind.of(home, 2, More.RENAME).again().late(0, 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {THIRD, 0, 1})
    void aRequestHasItsEffectOnce(int home) {
        isRight(HandOverKind.of(home, Explored.LONG ? 4 : 3, More.REQUEST)
                .andBack()
                .late(0, 1, 2));
    }

    @ParameterizedTest
    @ValueSource(ints = {THIRD, 0, 1})
    void aDirectoryWithNamesIsNotRemoved(int home) {
        isRight(HandOverKind.of(home, 2, More.REMOVAL).again().andBack());
        isRight(HandOverKind.of(home, Explored.LONG ? 2 : 1, More.REMOVAL)
                .again()
                .late(0, 1, 2));
        isRight(HandOverKind.of(home, 2, More.REMOVAL, More.RENAME).again());
    }

    @ParameterizedTest
    @ValueSource(ints = {THIRD, 0, 1})
    void itsHomeShardDoesNotRemoveItEither(int home) {
        isRight(HandOverKind.of(home, 2, More.REMOVAL_BY_HOME).again().andBack());
        isRight(HandOverKind.of(home, 2, More.REMOVAL_BY_HOME).late(0, 1, 2));
    }

    @ParameterizedTest
    @ValueSource(ints = {THIRD, 0, 1})
    void aDirectoryGoesWithAllItsNames(int home) {
        isRight(HandOverKind.of(home, 1, More.REMOVAL_WITH_NAMES).again().andBack());
        isRight(HandOverKind.of(home, 1, More.REMOVAL_WITH_NAMES).late(0, 1, 2));
        isRight(HandOverKind.of(home, 2, More.REMOVAL_WITH_NAMES, More.RENAME).again());
        isRight(HandOverKind.of(home, 1, More.REMOVAL_WITH_NAMES, More.REMOVAL).again());
    }

    @ParameterizedTest
    @ValueSource(ints = {THIRD, 0, 1})
    @EnabledIf("isLong")
    void manyThingsAtOnce(int home) {
        isRight(HandOverKind.of(home, 2, More.REMOVAL).again().late(0, 1, 2));
        isRight(HandOverKind.of(home, 2, More.REMOVAL_BY_HOME).again().late(0, 1, 2));
        isRight(HandOverKind.of(home, 2, More.REMOVAL, More.RENAME).again().andBack());
        isRight(HandOverKind.of(home, 1, More.REMOVAL_WITH_NAMES, More.RENAME)
                .again()
                .late(0, 1, 2));
        isRight(HandOverKind.of(home, 2, More.REMOVAL_WITH_NAMES, More.REMOVAL_BY_HOME)
                .again()
                .andBack());
    }

    static boolean isLong() {
        return Explored.LONG;
    }

    /** A model that refuses everything would have no wrong state either. */
    @ParameterizedTest
    @ValueSource(ints = {THIRD, 0, 1})
    void handOversMayGoWell(int home) {
        PartitionHandOver model =
                new PartitionHandOver(HandOverKind.of(home, 2).andBack().late(0, 1, 2));
        assertThat(Explored.goodEnd(model, model::isGoodEnd)).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "NAMES_GO, REST: P keeps name 0",
        "START_UNDOES, REST: hand over 0 never ends",
        "ALL_TOLD, HELD: something is held",
        "LATE_PREPARE, HELD: something is held",
        "PREPARED_STAYS, REST: the map names Q",
        "SOURCE_FIRST, G1: P and Q",
        "ONE_STAGED, REST: the map names Q",
        "ENTRY_ONCE, REST: the map"
    })
    void everyRuleIsNeeded(Without rule, String wrong) {
        isFound(HandOverKind.of(THIRD, 2).again().without(rule), wrong);
    }

    @ParameterizedTest
    @CsvSource({
        "OPENED_FIRST, REST: Q stays staged",
        "DECIDED_FIRST, REST: Q stays staged",
        "TARGET_COMMITS_FIRST, HELD: something is held",
        "HOME_COMMITS_FIRST, HELD: something is held"
    })
    void messagesMustLeaveAfterTheCommit(Without rule, String wrong) {
        isFound(HandOverKind.of(THIRD, 2).again().late(0, 1, 2).without(rule), wrong);
    }

    @Test
    void theMapIsChangedInOrder() {
        isFound(HandOverKind.of(THIRD, 2).andBack().without(Without.ENTRY_AS_SAID), "REST: the map does not have");
    }

    @ParameterizedTest
    @EnumSource(names = {"HOME_HELD", "FROZEN_HOME", "HELD_ENTRY", "HOME_FIRST"})
    void everyRuleOfTheHomeShardIsNeeded(Without rule) {
        isFound(HandOverKind.of(THIRD, 2, More.REMOVAL).again().without(rule), "REMOVED: ");
    }

    @Test
    void aNameThatARenameHoldsCounts() {
        HandOverKind kind = HandOverKind.of(THIRD, 2, More.REMOVAL, More.RENAME);
        isFound(kind.without(Without.HELD_NAME_COUNTS), "REMOVED: ");
    }

    @ParameterizedTest
    @EnumSource(names = {"CUT_OFF_AT_END", "NOTICES"})
    void noPartitionIsLeftOfADirectoryThatIsGone(Without rule) {
        isFound(HandOverKind.of(THIRD, 1, More.REMOVAL_WITH_NAMES).again().without(rule), "REST: Q is left");
    }

    @ParameterizedTest
    @EnumSource(names = {"SETTLED_WHERE_IT_WAS_SENT", "RECORD_OF_WRONG_PARTITION"})
    void everyRuleOfRequestsIsNeeded(Without rule) {
        isFound(HandOverKind.of(THIRD, 3, More.REQUEST).andBack().without(rule), "TWICE: ");
    }

    /** Where one rule stands in for the other, nothing is wrong without one of them. */
    @ParameterizedTest
    @CsvSource({
        "NAMES_STAY, NAMES_READ_AGAIN, G2: name 0 is not there at Q",
        "END_WAITS, NAMES_READ_AGAIN, G2: name 0 is not there at Q",
        "NO_HOLD_WHILE_GIVEN, NAMES_READ_AGAIN, G3: name 0 is there again at Q",
        "BEGIN_WITHOUT_HELD, HELD_NOT_TAKEN, REST: Q stays held",
        "NO_HOLD_WHILE_GIVEN, HELD_NOT_TAKEN, REST: Q stays held"
    })
    void oneOfTwoRulesIsNeeded(Without rule, Without other, String wrong) {
        HandOverKind kind = HandOverKind.of(THIRD, 2, More.RENAME).again();
        isRight(kind.without(rule));
        isRight(kind.without(other));
        isFound(kind.without(rule, other), wrong);
    }

    @Test
    void whatIsToBeClearedGivesNothing() {
        HandOverKind kind = HandOverKind.of(0, 1, More.REMOVAL_WITH_NAMES).again();
        isRight(kind.without(Without.QUEUED_GIVES_NOTHING));
        isRight(kind.without(Without.QUEUED_HOME));
        isFound(kind.without(Without.QUEUED_GIVES_NOTHING, Without.QUEUED_HOME), "REST: Q is left");
    }

    /** They only save hand overs and removals that the home shard would refuse. */
    @ParameterizedTest
    @ValueSource(ints = {THIRD, 0, 1})
    void twoRulesSaveWorkOnly(int home) {
        HandOverKind kind = HandOverKind.of(home, 2, More.REMOVAL).again();
        isRight(kind.without(Without.FROZEN_GIVES_NOTHING, Without.GIVING_IS_NOT_FROZEN));
    }

    private static void isFound(HandOverKind kind, String wrong) {
        Optional<Trace> found = explored(kind);
        assertThat(found).isPresent();
        assertThat(found.get().wrong()).startsWith(wrong);
    }
}
