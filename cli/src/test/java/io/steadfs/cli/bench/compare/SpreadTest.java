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
    }

    @Test
    void nothingHasNoSpread() {
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
