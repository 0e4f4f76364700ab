package io.steadfs.it.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.it.exhaustive.Exploration.Trace;
import io.steadfs.it.exhaustive.PartitionHandOver.Kind;
import io.steadfs.it.exhaustive.PartitionHandOver.More;
import io.steadfs.it.exhaustive.PartitionHandOver.Without;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No state of the model of hand overs is wrong, and each rule of it is needed: without it there is one. States, time and the
 * shortest ways to the wrong ones are printed.
 */
class HandOverExplorationTest {
    private static Optional<Trace> explored(Kind kind) {
        return Explored.of(new PartitionHandOver(kind));
    }

    @Test
    void namesGoThereAndBack() {
        assertThat(explored(Explored.LONG ? new Kind(1, 3, 2) : new Kind(1, 2, 2)))
                .isEmpty();
    }

    @Test
    void oneHandOverShipsWhatChanges() {
        assertThat(explored(new Kind(2, 1, Explored.LONG ? 4 : 2))).isEmpty();
    }

    @Test
    void aRenameHoldsAName() {
        assertThat(explored(new Kind(1, Explored.LONG ? 2 : 1, Explored.LONG ? 3 : 2, More.RENAME)))
                .isEmpty();
    }

    @Test
    void aRequestHasItsEffectOnce() {
        assertThat(explored(new Kind(1, 2, Explored.LONG ? 3 : 2, More.REQUEST)))
                .isEmpty();
    }

    @Test
    void aDirectoryWithNamesIsNotRemoved() {
        assertThat(explored(new Kind(1, 2, Explored.LONG ? 3 : 2, More.REMOVAL)))
                .isEmpty();
    }

    /** A model that refuses everything would have no wrong state either. */
    @Test
    void handOversMayGoWell() {
        PartitionHandOver model = new PartitionHandOver(new Kind(1, 2, 2));
        assertThat(Explored.goodEnd(model, model::isGoodEnd)).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "NEW_DIRECTORY, 2, 2, G3: name 0",
        "NUMBERS, 1, 2, G3: name 0",
        "FROZEN_TARGET, 1, 2, G3: name 0",
        "PREPARED_STAYS, 1, 1, REST: 0 shards",
        "DIRTY_NAMES, 1, 1, G2: name 0",
        "DIRTY_NAMES_SHIPPED, 1, 1, G2: name 0",
        "DIRTY_AGAIN, 1, 2, G3: name 0",
        "ANSWER_OF_THE_TARGET, 1, 1, G2: name 0",
        "NAMES_GO_WITH_THE_DECISION, 1, 1, REST: shard 0 keeps names",
        "SOURCE_FIRST, 1, 1, REST: 2 shards",
        "ONE_HAND_OVER_AT_A_TIME, 2, 1, REST: the map names",
        "SOURCE_SEES_THE_END, 1, 1, REST: a hand over never ends"
    })
    void everyRuleIsNeeded(Without rule, int handOvers, int changes, String wrong) {
        isFound(new Kind(1, handOvers, changes).without(rule), wrong);
    }

    @Test
    void aNameThatIsHeldMustNotGo() {
        isFound(new Kind(1, 1, 2, More.RENAME).without(Without.HELD_NAMES), "G3: name 0");
    }

    @Test
    void noNamesIsSaidOnlyByWhoOwnsTheRange() {
        isFound(new Kind(1, 1, 2, More.REMOVAL).without(Without.BUSY_WHERE_NOT_OWNED), "REMOVED: ");
    }

    @ParameterizedTest
    @CsvSource({"SETTLED_WHERE_IT_WAS_SENT", "RECORD_OF_WRONG_PARTITION"})
    void everyRuleOfRequestsIsNeeded(Without rule) {
        isFound(new Kind(1, 2, 3, More.REQUEST).without(rule), "TWICE: ");
    }

    private static void isFound(Kind kind, String wrong) {
        Optional<Trace> found = explored(kind);
        assertThat(found).isPresent();
        assertThat(found.get().wrong()).startsWith(wrong);
    }
}
