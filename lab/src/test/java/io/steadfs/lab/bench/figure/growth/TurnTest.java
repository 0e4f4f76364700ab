package io.steadfs.lab.bench.figure.growth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The steady rate of a turn, and how soon it was reached. */
class TurnTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // files in each second          | steady | seconds until then
                "10 10 10                         | 10     | 0",
                "1 5 9                            | 9      | 2",
                "1 5 8 10                         | 10     | 3",
                "1 1 1 4 4 4 10 10 10             | 10     | 6",
                "1 1 1 10 1 1 10 10 10            | 10     | 6",
                "1 1 8 9 10 10 10 10 10           | 10     | 2",
                "1 1 8 8 8 8 10 10 10             | 10     | 5",
                "9 9 9 1 1 1 10 10 10             | 10     | 0",
                "0 0 0 0 0 0 0 0 10 0 0 10        | 5      | 12",
                "0 0 0                            | 0      | 0",
            })
    void lastThirdIsSteady(String files, double steady, int seconds) {
        Turn turn =
                new Turn(Arrays.stream(files.split(" ", -1)).map(Long::valueOf).toList(), 1, 0);

        assertThat(turn.steady()).isEqualTo(steady);
        assertThat(turn.secondsUntilSteady()).isEqualTo(seconds);
    }
}
