package io.steadfs.cli.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which of Java's options go on to programs with another class path. */
class JavaCommandTest {
    @Test
    void theArchiveOfClassesStays() {
        assertThat(JavaCommand.withoutArchive(List.of(
                        "-Xmx512m",
                        "-XX:SharedArchiveFile=/opt/steadfs/class-archive/1-2/classes-3.jsa",
                        "-XX:+VerifySharedSpaces",
                        "-Xlog:cds=off",
                        "-Xlog:cds+dynamic=off",
                        "-XX:+UseParallelGC",
                        "-Xlog:gc")))
                .containsExactly("-Xmx512m", "-XX:+UseParallelGC", "-Xlog:gc");
    }
}
