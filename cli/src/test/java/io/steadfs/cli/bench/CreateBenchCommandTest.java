package io.steadfs.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CreateBenchCommandTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "create --uri stead://h:1 --protocol hurried | unknown create protocol 'hurried'; this release has: unified, basecase, compound, leased, precreated, eager, delegated, lazy",
                "create --uri stead://h:1 --protocol unified,unified | 'unified' is there twice",
                "create --uri stead://h:1 --rounds 9 --files 8 | --rounds 9 is more than --files 8",
                "create --uri stead://h:1 --clients 0       | --clients 0 is less than 1",
                "create --uri stead://h:1 --bytes -1        | --bytes -1 is less than 0",
                "create --uri stead://h:1 --dirs both       | --dirs 'both' is neither shared nor split",
                "create --uri hdfs://h:1                    | 'hdfs://h:1' is not stead://host:port",
                "create                                     | --uri",
                "create --uri stead://h:1 --local           | mutually exclusive",
                "stat                                       | stat",
            })
    void wrongUsageIsNamed(String arguments, String message) {
        StringWriter err = new StringWriter();

        int exitCode =
                new CommandLine(new BenchCommand()).setErr(new PrintWriter(err)).execute(arguments.split(" "));

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }
}
