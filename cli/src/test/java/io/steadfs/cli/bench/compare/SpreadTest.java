package io.steadfs.cli.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void middleIsTheOneInTheMiddleOrTheMeanOfTwo() {
        assertThat(Spread.of(List.of(9.0, 1.0, 4.0))).isEqualTo(new Spread(1, 4, 9));
        assertThat(Spread.of(List.of(9.0, 1.0, 4.0, 2.0))).isEqualTo(new Spread(1, 3, 9));
    }

    @Test
    void ratiosAreThoseOfTheSameRound() {
        assertThat(Spread.ofRatios(List.of(10.0, 2.0), List.of(5.0, 2.0))).isEqualTo(new Spread(1, 1.5, 2));
        assertThat(Spread.ofRatios(List.of(3.0), List.of(4.0))).isEqualTo(new Spread(0.75, 0.75, 0.75));
    }

    /** Means of two of 1, 2, 6: 1, 1.5, 2, 3.5, 4, 6. */
    @Test
    void middleOfRatiosIsThatOfTheMeansOfEveryTwo() {
        List<Double> ones = List.of(1.0, 1.0, 1.0);
        assertThat(Spread.ofRatios(List.of(6.0, 1.0, 2.0), ones)).isEqualTo(new Spread(1, 2.75, 6));
    }

    @Test
    void oneWildRoundHardlyMovesTheMiddleOfRatios() {
        List<Double> ones = List.of(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0);
        Spread calm = Spread.ofRatios(List.of(1.0, 1.1, 0.9, 1.0, 1.1, 0.9, 1.0), ones);
        Spread wild = Spread.ofRatios(List.of(1.0, 1.1, 0.9, 1.0, 1.1, 0.9, 100.0), ones);
        assertThat(wild.middle()).isBetween(calm.middle(), calm.middle() + 0.1);
        assertThat(wild.greatest()).isEqualTo(100);
    }

    @Test
    void nothingHasNoSpread() {
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
