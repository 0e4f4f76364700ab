package io.steadfs.lab.bench.figure.ground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class BoundsTest {
    @Test
    void eachNumberIsThereOnceInOrder() {
        assertThat(Bounds.each(List.of(12, 3, 12, 1), 12, "--entries")).containsExactly(1, 3, 12);
    }

    @Test
    void aNumberOutsideIsNamed() {
        assertThatThrownBy(() -> Bounds.each(List.of(3, 13), 12, "--entries"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--entries: 13 is not in 1..12");
        assertThatThrownBy(() -> Bounds.points(List.of(0))).hasMessage("--points: 0 is not in 1..200");
    }
}
