package io.steadfs.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchCommandTest {
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
                "compare                                    | --out",
                "compare --out o --works walk               | no work 'walk'; there are: create, create-separate",
                "compare --out o --threads 0                | --threads 0 is not between 1 and 256",
                "compare --out o --threads many             | many",
                "compare --out o --rounds -1                | --rounds -1 is not between 1 and 1000",
                "compare --out o --round-ms 5               | --round-ms 5 is not between 10 and 600000",
                "compare --out o --uncounted-rounds -1      | --uncounted-rounds -1 is not between 0 and 1000",
                "compare --out o --visits 200 --rounds 6    | --visits times --rounds 1200 is not between 1 and 1000",
                "compare --out o --rehearsal-ms -2          | --rehearsal-ms -2 is not between 0 and 3600000",
                "compare --out o --stream-mib 3             | --stream-mib 3 is not between 4 and 1048576",
                "compare --out o --memory-files -2          | --memory-files -2 is not between 0 and",
                "compare --out o --rounds 0                 | --rounds 0 is not between 1 and 1000",
                "compare --out o --set stead.mds.rows.bytes=x | stead.mds.rows.bytes",
                "compare --out o --set stead.close.sync=false | --set stead.close.sync: what is durable must be the same",
                "compare --out o --io 0                     | --io 0 is not between 1 and 100",
                "compare --out o --cold --works delete     | --works delete is not measured with --cold",
                "compare --out o --cold --threads 0        | --threads 0 is not between 1 and 256",
                "compare --out o --cold --threads 8,8      | --threads has 8 twice",
                "compare --out o --cold --works stat,stat  | --works has stat twice",
                "compare --out o --cold --rounds 0         | --rounds 0 is not between 1 and 1000",
                "compare --out o --cold --minutes -1       | --minutes -1 is not between 0 and 100000",
                "compare --out o --cold --round-ms 100     | --round-ms 100 is not for --cold",
                "compare --out o --cold --memory-files 9   | --memory-files 9 is not for --cold",
                "compare --out o --mds 0                    | --mds 0 is not between 1 and 256",
                "compare --out o --mds 300 --shards 256     | --mds 300 is not between 1 and 256",
                "compare --out o --mds two                  | --mds",
                "compare --out o --shards 257               | --shards 257 is not between 1 and 256",
                "compare --out o --shards -1                | --shards -1 is not between 1 and 256",
                "compare --out o --mds 3 --shards 2         | --mds 3 is more than --shards 2",
                "compare --out o --hdfs-delay-ms 0          | --hdfs-delay-ms 0 is less than 1",
                "compare --out o --set stead.port.of=1      | stead.port.of",
                "compare --out o --same --set-beside x=1    | x",
                "compare --out o --set-beside stead.port=1  | --set-beside [stead.port] is only for --same and --beside",
                "compare --out o --same --beside .          | --same and --beside exclude each other",
                "compare --out o --beside /no/where         | --beside /no/where: /no/where does not exist",
                "compare --out o --disk /no/where           | --disk /no/where is no folder",
            })
    void wrongUsageIsNamed(String arguments, String message) {
        StringWriter err = new StringWriter();

        int exitCode =
                new CommandLine(new BenchCommand()).setErr(new PrintWriter(err)).execute(arguments.split(" "));

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }
}
