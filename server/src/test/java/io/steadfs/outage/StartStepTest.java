package io.steadfs.outage;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StartStepTest {
    private final List<String> log = new ArrayList<>();
    private final StepClock clock = new StepClock();
    private final StartStep step = new StartStep("io-1 waits for a friend", clock, log::add);
    private long progress;

    /** Stands still but where somebody waits. */
    private static final class StepClock implements Clock {
        private long millis;

        @Override
        public long monotonicNanos() {
            return millis * 1_000_000;
        }

        @Override
        public long wallMillis() {
            return millis;
        }
    }

    /** Over after so many milliseconds. */
    private StartStep.Wait until(long end) {
        return millis -> {
            clock.millis += millis;
            return clock.millis >= end;
        };
    }

    @Test
    void endsWhenNothingGetsOnForAWholePatience() throws InterruptedException {
        assertThat(step.await(10_000, until(Long.MAX_VALUE), () -> progress)).isFalse();
        assertThat(clock.millis).isEqualTo(10_000);
        assertThat(log).containsExactly("io-1 waits for a friend, for 5 s");
    }

    @Test
    void goesOnAsLongAsSomethingGetsOn() throws InterruptedException {
        assertThat(step.await(10_000, until(300_000), () -> ++progress)).isTrue();
        assertThat(clock.millis).isEqualTo(300_000);
        assertThat(log)
                .containsExactly(
                        "io-1 waits for a friend, for 5 s",
                        "io-1 waits for a friend, for 65 s",
                        "io-1 waits for a friend, for 125 s",
                        "io-1 waits for a friend, for 185 s",
                        "io-1 waits for a friend, for 245 s",
                        "io-1 waits for a friend no more, after 300 s");
    }

    @Test
    void whatIsOverSoonIsNotTold() throws InterruptedException {
        assertThat(step.await(10_000, until(4_000), () -> progress)).isTrue();
        assertThat(log).isEmpty();
    }

    /** A look takes 5 s instead of a quarter of one: so did everything else in this process. */
    @Test
    void timeWithoutAProcessorDoesNotCount() throws InterruptedException {
        StartStep.Wait starved = millis -> {
            clock.millis += 20 * millis;
            return clock.millis >= 60_000;
        };
        assertThat(step.await(10_000, starved, () -> progress)).isTrue();
    }

    @Test
    void aFailureIsOverToo() throws InterruptedException {
        assertThat(step.await(
                        10_000, CompletableFuture.failedFuture(new IllegalStateException("broken")), () -> progress))
                .isTrue();
    }
}
