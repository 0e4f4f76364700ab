package io.steadfs.lab.bench.compare.cold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FirstOperationsTest {
    private static final long BEGUN = -5_000_000_000L;
    private static final long MILLI = 1_000_000;

    /** Two threads: one returns each 2 ms, the other each 4 ms. They have 50 + 25 of 75 operations in 100 ms. */
    @Test
    void operationsAreCountedInTheOrderInWhichTheyReturn() {
        long[] returned = LongStream.concat(
                        LongStream.rangeClosed(1, 800).map(i -> BEGUN + 2 * MILLI * i),
                        LongStream.rangeClosed(1, 400).map(i -> BEGUN + 4 * MILLI * i))
                .toArray();

        FirstOperations first = FirstOperations.of(250 * MILLI, BEGUN, returned);

        assertThat(first.openSeconds()).isEqualTo(0.25);
        assertThat(first.first100Nanos())
                .as("66 and 33 by 132 ms, one more at 134 ms")
                .isEqualTo(134 * MILLI);
        assertThat(first.first1000Nanos())
                .as("666 and 333 by 1332 ms, one more at 1334 ms")
                .isEqualTo(1334 * MILLI);
    }

    @Test
    void ratesAreOperationsASecond() {
        FirstOperations first = new FirstOperations(0, 500 * MILLI, 2000 * MILLI);
        assertThat(first.rateOf100()).isEqualTo(200);
        assertThat(first.rateOf1000()).isEqualTo(500);
    }

    @Test
    void lineTellsAllToAnotherProcess() {
        FirstOperations first = new FirstOperations(1, 22, 333);
        assertThat(FirstOperations.parse(first.line())).contains(first);
        assertThat(FirstOperations.parse("log4j:WARN no appender")).isEmpty();
    }
}
