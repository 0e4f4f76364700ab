package io.steadfs.it.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.it.exhaustive.DirectoryMoves.Kind;
import io.steadfs.it.exhaustive.DirectoryMoves.Without;
import io.steadfs.it.exhaustive.Exploration.Trace;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No moves of directories together close a cycle, and each rule of {@link DirectoryMoves} is needed for that. */
class MoveExplorationTest {
    private static Optional<Trace> explored(Kind kind) {
        return Explored.of(new DirectoryMoves(kind));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rows rows", "names names", "rows names"})
    void twoMoversCloseNoCycle(String looks) {
        List<Boolean> byNames =
                List.of(looks.split(" ")).stream().map("names"::equals).toList();
        assertThat(explored(new Kind(Explored.LONG ? 4 : 3, byNames, 2))).isEmpty();
    }

    @Test
    void neitherDoThree() {
        assertThat(explored(new Kind(3, List.of(false, true, false), 1))).isEmpty();
    }

    /** A model that refuses everything would have no wrong state either. */
    @Test
    void movesMayGoWell() {
        DirectoryMoves model = new DirectoryMoves(new Kind(3, List.of(false, true), 1));
        assertThat(Explored.goodEnd(model, model::isGoodEnd)).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "OTHER_MOVES_ABOVE_ME, has changed since it looked",
        "I_MOVE_ABOVE_OTHER, has changed since it looked",
        "ONE_MOVE_OF_A_DIRECTORY, says that its parent is",
        "SECOND_LOOK, is below itself",
        "FREED_LAST, has changed since it looked",
        "WITHIN_WHAT_IS_NAMED, was not below its directory"
    })
    void everyRuleIsNeeded(Without rule, String wrong) {
        Optional<Trace> found = explored(new Kind(3, List.of(false, false), 2).without(rule));
        assertThat(found).isPresent();
        assertThat(found.get().wrong()).contains(wrong);
    }
}
