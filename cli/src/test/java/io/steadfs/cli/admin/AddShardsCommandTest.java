package io.steadfs.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class AddShardsCommandTest {
    /** Shards cannot be taken away: an empty list must not stand for all servers. */
    @ParameterizedTest
    @ValueSource(strings = {"--mds ,", "--mds ,,", "--mds=,"})
    void aListThatNamesNoServerIsRefused(String words) {
        StringWriter err = new StringWriter();
        CommandLine command = new CommandLine(new AddShardsCommand()).setErr(new PrintWriter(err));

        int exitCode = command.execute(words.split(" "));

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains("--mds: it names no metadata server");
    }
}
