package io.steadfs.lab.bench.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpentTest {
    @Test
    void thisProcessHasCompiled() {
        Spent spent = Spent.by(List.of(ProcessHandle.current().pid()));
        assertThat(spent.compiling()).isPositive();
        assertThat(spent.all()).isPositive();
        assertThat(spent.switches()).isPositive();
    }

    @Test
    void aProcessThatIsNotThereSpentNothing() {
        assertThat(Spent.by(List.of(Long.MAX_VALUE))).isEqualTo(Spent.NOTHING);
    }

    @Test
    void whatThreadsTookWithThemIsNotNegative() {
        Spent before = new Spent(Duration.ofMillis(100), Duration.ofMillis(80), 9);
        Spent after = new Spent(Duration.ofMillis(140), Duration.ofMillis(60), 7);
        assertThat(after.since(before)).isEqualTo(new Spent(Duration.ofMillis(40), Duration.ZERO, 0));
    }

    @Test
    void isToldForEachOperationAndInParts() {
        Spent spent = new Spent(Duration.ofMillis(40), Duration.ofMillis(10), 50);
        assertThat(spent.microsEach(20)).isEqualTo(2000);
        assertThat(spent.switchesEach(20)).isEqualTo(2.5);
        assertThat(spent.compilingPart()).isEqualTo(0.25);
        assertThat(Spent.NOTHING.compilingPart()).isZero();
    }
}
