package io.steadfs.it.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.it.exhaustive.Exploration.Trace;
import io.steadfs.it.exhaustive.ShardMove.Without;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One server has the store of a shard that moves, with all that was acknowledged, and each rule of {@link ShardMove} is needed. */
class ShardMoveExplorationTest {
    private static final int MOVES = 3;
    private static final int STARTS = Explored.LONG ? 3 : 1;

    private static Optional<Trace> without(Without first, Without... more) {
        return Explored.of(new ShardMove(MOVES, STARTS, EnumSet.of(first, more)));
    }

    @Test
    void oneServerHasAll() {
        assertThat(Explored.of(new ShardMove(MOVES, STARTS))).isEmpty();
    }

    /** A model that never gets there would have no wrong state either. */
    @Test
    void itMayGoWell() {
        ShardMove model = new ShardMove(MOVES, STARTS);
        assertThat(Explored.goodEnd(model, model::isBack)).isPresent();
        assertThat(Explored.goodEnd(model, model::isMovedAfterACancelledMove)).isPresent();
    }

    @ParameterizedTest
    @EnumSource(
            names = {"GIVEN_IN_ITS_MOVE", "TAKEN_IN_ITS_MOVE"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyRuleIsNeeded(Without rule) {
        assertThat(without(rule)).isPresent();
    }

    /** Who asks in a move began with it, empty. So one of the two is enough, and the host need not be stopped too early. */
    @Test
    void aMoveIsKnownByItsNumber() {
        assertThat(without(Without.TAKEN_IN_ITS_MOVE)).isEmpty();
        assertThat(without(Without.GIVEN_IN_ITS_MOVE)).isEmpty();
        assertThat(without(Without.GIVEN_IN_ITS_MOVE, Without.TAKEN_IN_ITS_MOVE))
                .isPresent();
    }
}
