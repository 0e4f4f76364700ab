package io.steadfs.lab.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void middleIsTheOneInTheMiddleOrTheMeanOfTwo() {
        assertThat(Spread.of(List.of(9.0, 1.0, 4.0)).middle()).isEqualTo(4);
        assertThat(Spread.of(List.of(9.0, 1.0, 4.0, 2.0)).middle()).isEqualTo(3);
    }

    @Test
    void ratiosAreThoseOfTheSameRound() {
        Spread two = Spread.ofRatios(List.of(10.0, 2.0), List.of(5.0, 2.0));
        assertThat(List.of(two.least(), two.middle(), two.greatest())).containsExactly(1.0, 1.5, 2.0);
        assertThat(Spread.ofRatios(List.of(3.0), List.of(4.0))).isEqualTo(new Spread(0.75, 0.75, 0.75, 0));
    }

    /** Means of two of 1, 2, 6: 1, 1.5, 2, 3.5, 4, 6. */
    @Test
    void middleOfRatiosIsThatOfTheMeansOfEveryTwo() {
        List<Double> ones = List.of(1.0, 1.0, 1.0);
        assertThat(Spread.ofRatios(List.of(6.0, 1.0, 2.0), ones).middle()).isEqualTo(2.75);
    }

    @Test
    void oneWildRoundHardlyMovesTheMiddleOfRatios() {
        List<Double> ones = List.of(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0);
        Spread calm = Spread.ofRatios(List.of(1.0, 1.1, 0.9, 1.0, 1.1, 0.9, 1.0), ones);
        Spread wild = Spread.ofRatios(List.of(1.0, 1.1, 0.9, 1.0, 1.1, 0.9, 100.0), ones);
        assertThat(wild.middle()).isBetween(calm.middle(), calm.middle() + 0.1);
        assertThat(wild.greatest()).isEqualTo(100);
    }

    /** Logarithms of 1, e, e^2: 0, 1, 2, whose deviation is 1. */
    @Test
    void errorIsThatOfTheMeanOfLogarithms() {
        assertThat(Spread.of(List.of(1.0, Math.E, Math.E * Math.E)).error()).isCloseTo(1 / Math.sqrt(3), within(1e-9));
        assertThat(Spread.of(List.of(7.0, 7.0)).error()).isZero();
    }

    @Test
    void nothingHasNoSpread() {
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
