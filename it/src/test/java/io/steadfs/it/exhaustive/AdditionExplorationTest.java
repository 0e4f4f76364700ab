package io.steadfs.it.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.it.exhaustive.Exploration.Trace;
import io.steadfs.it.exhaustive.ShardAddition.Without;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No handle is taken back that a file lists, when a shard is added, and each rule of {@link ShardAddition} is needed. */
class AdditionExplorationTest {
    private static final int STARTS = Explored.LONG ? 3 : 1;

    private static Optional<Trace> without(Without rule) {
        return Explored.of(new ShardAddition(STARTS, EnumSet.of(rule)));
    }

    @Test
    void nothingIsTakenBackThatAFileLists() {
        assertThat(Explored.of(new ShardAddition(STARTS))).isEmpty();
    }

    /** A model that never gets there would have no wrong state either. */
    @Test
    void itMayGoWell() {
        ShardAddition model = new ShardAddition(STARTS);
        assertThat(Explored.goodEnd(model, model::isUsedOnTheNewShard)).isPresent();
        assertThat(Explored.goodEnd(model, model::isTakenBack)).isPresent();
        assertThat(Explored.goodEnd(model, model::wasAskedByAnExpiredServer)).isPresent();
    }

    @ParameterizedTest
    @EnumSource(names = "ALIVE_ONES_COUNT", mode = EnumSource.Mode.EXCLUDE)
    void everyRuleIsNeeded(Without rule) {
        assertThat(without(rule).map(Trace::wrong)).hasValue("a file lists the handle that was taken back");
    }

    /** What servers say of themselves only keeps requests from being refused. */
    @Test
    void nothingDependsOnWhatServersSay() {
        assertThat(without(Without.ALIVE_ONES_COUNT)).isEmpty();
    }
}
