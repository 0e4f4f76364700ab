package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.path.FsPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hadoop's own shell, as it was released, where it once failed or did not end. */
@Timeout(120)
class ShellCommandsTest {
    private static Cluster cluster;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        cluster = Cluster.start(directory, 1, 1, 1, Map.of());
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            fs.mkdirs(FsPath.parse("/d"), 0755, true, true);
            // As an earlier release made it.
            fs.create(FsPath.parse("/d/a:b"), CreateOptions.DEFAULT).close();
            try (FileWriter writer = fs.create(FsPath.parse("/d/f"), CreateOptions.DEFAULT)) {
                writer.write(new byte[1000], 0, 1000);
            }
        }
    }

    @AfterAll
    static void stop() throws IOException {
        cluster.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -ls /d               | 0 | /d/a:b
            -ls /d/*             | 0 | /d/a:b
            -count -e /d/f       | 0 | Replicated
            -count /d            | 0 | /d
            -setrep 3 /d/f       | 0 | Replication 3 set: /d/f
            -setrep -w 1 /d/f    | 0 | Waiting for /d/f ... done
            -stat %r /d/f        | 0 | 1
            -test -e /d/none     | 1 | ''
            -rm -r -skipTrash /d | 0 | Deleted /d
            """)
    void theShellAnswers(String command, int status, String printed) throws Exception {
        Configuration conf = new Configuration();
        conf.set("fs.defaultFS", cluster.local().uri().toString());
        PrintStream before = System.out;
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        int answered;
        try {
            System.setOut(new PrintStream(shown, true, StandardCharsets.UTF_8));
            answered = ToolRunner.run(conf, new FsShell(), command.strip().split(" "));
        } finally {
            System.setOut(before);
        }
        assertThat(shown.toString(StandardCharsets.UTF_8)).contains(printed);
        assertThat(answered).isEqualTo(status);
    }
}
