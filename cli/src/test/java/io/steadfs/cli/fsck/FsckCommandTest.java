package io.steadfs.cli.fsck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class FsckCommandTest {
    @Test
    void aListThatNamesNoKindIsRefused() {
        StringWriter err = new StringWriter();

        int exitCode = new CommandLine(new FsckCommand())
                .setErr(new PrintWriter(err))
                .execute("--uri", "stead://localhost:1", "--repair", ",");

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains("--repair: it names no kind");
    }
}
