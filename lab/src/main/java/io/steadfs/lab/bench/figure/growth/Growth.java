package io.steadfs.lab.bench.figure.growth;

import io.steadfs.lab.bench.figure.ground.Moments;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** All turns of a series at one number of shards, at least one. */
record Growth(GrowthSeries series, int shards, List<Turn> turns) {
    Growth {
        turns = List.copyOf(turns);
    }

    /** Files a second, in the seconds from begin to before end. */
    Moments rate(int begin, int end) {
        return over(turn -> turn.files().subList(begin, end).stream()
                .mapToLong(Long::longValue)
                .average()
                .orElseThrow());
    }

    Moments steady() {
        return over(Turn::steady);
    }

    Moments secondsUntilSteady() {
        return over(Turn::secondsUntilSteady);
    }

    /** The greatest number of partitions at the end of a turn. */
    int partitions() {
        return turns.stream().mapToInt(Turn::partitions).max().orElseThrow();
    }

    /** How many processors servers and clients used in the steady state. */
    Moments processors() {
        return over(Turn::processors);
    }

    int seconds() {
        return turns.get(0).files().size();
    }

    private Moments over(ToDoubleFunction<Turn> value) {
        Moments moments = new Moments();
        turns.stream().mapToDouble(value).forEach(moments::add);
        return moments;
    }
}
