package io.steadfs.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SetrepWaitTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -setrep -w 1 /f                | -setrep -w 1 /f
            -setrep 3 /f                   | -setrep 3 /f
            -setrep -w 3 /f                | -setrep 3 /f
            -setrep -R -w 3 /a /b          | -setrep -R 3 /a /b
            -setrep -w 3 stead://h:1/f     | -setrep 3 stead://h:1/f
            -setrep -w 3 hdfs://h:1/f      | -setrep -w 3 hdfs://h:1/f
            -D a=b -setrep -w 3 /f         | -D a=b -setrep 3 /f
            -ls -w 3                       | -ls -w 3
            -setrep -w                     | -setrep -w
            """)
    void onlyAWaitWithoutAnEndIsLeftOut(String given, String kept) {
        SetrepWait wait = SetrepWait.of(List.of(given.split(" ")));
        assertThat(String.join(" ", wait.arguments())).isEqualTo(kept);
        assertThat(wait.note().isPresent()).isEqualTo(!given.equals(kept));
    }
}
