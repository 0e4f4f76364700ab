package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.client.SteadClient;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.layout.ProtocolName;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Which protocol a create goes by: the configured one, what a directory's hint says, what suits. */
@TestInstance(Lifecycle.PER_CLASS)
class ChosenProtocolTest {
    private final Cluster cluster;

    ChosenProtocolTest(@TempDir Path data) throws IOException {
        cluster = Cluster.start(data, 3, Map.of());
    }

    @AfterAll
    void stop() throws IOException {
        cluster.close();
    }

    private SteadClient connect(String... settings) {
        Map<String, String> all = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        return cluster.connect(Cluster.SUPERUSER, List.of(), all);
    }

    private static void create(SteadClient fs, String path) throws IOException {
        fs.create(FsPath.parse(path), CreateOptions.DEFAULT).close();
    }

    private static long files(SteadClient fs, String protocol) {
        return fs.counters().getOrDefault("create." + protocol + ".files", 0L);
    }

    private static void hint(SteadClient fs, String path, String value) throws IOException {
        fs.setXattr(FsPath.parse(path), ProtocolName.HINT, value.getBytes(StandardCharsets.UTF_8), true, true);
    }

    @Test
    void aDirectorysHintIsFollowedFromTheSecondFileOn() throws IOException {
        try (SteadClient fs = connect();
                SteadClient deaf = connect("stead.create.hints", "false")) {
            fs.mkdirs(FsPath.parse("/hinted"), 0755, true, true);
            hint(fs, "/hinted", "leased");
            for (int i = 0; i < 5; i++) {
                create(fs, "/hinted/f" + i);
                create(deaf, "/hinted/deaf" + i);
            }
            assertThat(files(fs, "unified")).isEqualTo(1);
            assertThat(files(fs, "leased")).isEqualTo(4);
            assertThat(files(deaf, "unified")).isEqualTo(5);

            hint(fs, "/hinted", "basecase");
            create(fs, "/hinted/g");
            assertThat(files(fs, "leased")).as("the hint of before").isEqualTo(5);
            create(fs, "/hinted/h");
            assertThat(files(fs, "basecase")).isEqualTo(1);
            fs.removeXattr(FsPath.parse("/hinted"), ProtocolName.HINT);
            create(fs, "/hinted/i");
            create(fs, "/hinted/j");
            assertThat(files(fs, "basecase")).isEqualTo(2);
            assertThat(files(fs, "unified")).isEqualTo(2);
            create(fs, "/elsewhere");
            assertThat(files(fs, "unified")).isEqualTo(3);
        }
    }

    @Test
    void aHintThatNobodyCanFollowIsRefusedByName() throws IOException {
        try (SteadClient fs = connect()) {
            fs.mkdirs(FsPath.parse("/bad"), 0755, true, true);
            assertThatThrownBy(() -> hint(fs, "/bad", "hurried"))
                    .isInstanceOfSatisfying(
                            FsException.class,
                            refused -> assertThat(refused.error()).isEqualTo(FsError.INVALID_ARGUMENT))
                    .hasMessageContainingAll(ProtocolName.HINT, "hurried", "precreated");
        }
    }

    @Test
    void adaptiveLeasesNothingWhereDatafilesAreMadeOnWrite() throws IOException {
        try (SteadClient fs = connect("stead.create.protocol", "adaptive")) {
            create(fs, "/plain");
            assertThat(fs.counters().get("create.adaptive.unified.datafiles-on-write"))
                    .isEqualTo(1);
            assertThat(files(fs, "unified")).isEqualTo(1);
        }
    }

    @Test
    void adaptiveLeasesItselfOnceItMakesManyFiles() throws IOException {
        try (SteadClient fs = connect(
                "stead.create.protocol", "adaptive", "stead.layout.eager", "true", "stead.create.adaptive.rate", "5")) {
            create(fs, "/many/0");
            assertThat(fs.counters().get("create.adaptive.delegated.few-files")).isEqualTo(1);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            for (int i = 1; files(fs, "unified") < 10 && System.nanoTime() < end; i++) {
                create(fs, "/many/" + i);
            }
            assertThat(fs.counters().get("create.adaptive.unified.many-files")).isGreaterThanOrEqualTo(10);
            assertThat(files(fs, "delegated")).isPositive();
        }
    }
}
