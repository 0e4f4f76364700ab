package io.steadfs.it.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.client.SteadFs;
import io.steadfs.client.write.FileWriter;
import io.steadfs.config.Settings;
import io.steadfs.ioserver.datafile.DatafileFormat;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.it.Cluster;
import io.steadfs.it.Fsck;
import io.steadfs.mds.state.DiskFormat;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.path.FsPath;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.store.format.FormatSteps;
import io.steadfs.store.rocks.RocksStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A directory of every format from {@link FormatSteps#FIRST} on is opened by this release: each name, attribute and byte is there. */
@Timeout(300)
class FormatFixturesTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final long MOST_BYTES = 1 << 20;
    private static final long NEWEST = DiskFormat.STEPS.newest();

    private final Path data;

    FormatFixturesTest(@TempDir Path data) {
        this.data = data;
    }

    static List<Fixture> fixtures() throws IOException {
        return Fixture.all();
    }

    @ParameterizedTest
    @MethodSource("fixtures")
    void aFixtureHasAllThatItsListSays(Fixture fixture) throws IOException {
        Path directory = data.resolve("cluster");
        Archive.unpack(fixture.archive(), directory);
        try (Cluster cluster = Fixture.cluster(directory, Cluster.SUPERUSER)) {
            try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
                await().atMost(SOON).until(() -> fixture.isRecovered(fs));
                assertThat(Listed.all(fs, fixture.open())).containsExactlyElementsOf(fixture.wanted());
            }
            var unused = Fsck.run(cluster, 0, "--scrub");
            cluster.stop();
            assertNumbers(directory, NEWEST);
        }
    }

    private static void assertNumbers(Path cluster, long wanted) throws IOException {
        assertThat(number(cluster.resolve("mds-1/shard-0"), ShardTables.ALL, DiskFormat.STEPS))
                .isEqualTo(wanted);
        assertThat(number(cluster.resolve("mds-1/shard-1"), ShardTables.ALL, DiskFormat.STEPS))
                .isEqualTo(wanted);
        for (int server = 1; server <= Fixture.IO_SERVERS; server++) {
            assertThat(number(cluster.resolve("io-" + server + "/store"), DatafileTables.ALL, DatafileFormat.STEPS))
                    .isEqualTo(wanted);
        }
    }

    private static long number(Path store, List<Table> tables, FormatSteps steps) throws IOException {
        try (Store open = RocksStore.open(store, tables, Settings.defaults())) {
            return steps.of(open.committed()).orElseThrow();
        }
    }

    @Test
    void bothKindsOfStoreHaveOneNumber() {
        assertThat(DatafileFormat.STEPS.newest()).isEqualTo(NEWEST);
    }

    @Test
    void everyFormatHasASmallFixture() throws IOException {
        assertThat(Fixture.all().stream().map(Fixture::format))
                .containsExactlyElementsOf(LongStream.rangeClosed(FormatSteps.FIRST, NEWEST)
                        .boxed()
                        .toList());
        for (Fixture each : Fixture.all()) {
            assertThat(Files.size(each.archive())).as("%s", each).isLessThan(MOST_BYTES);
        }
    }

    /** Makes the fixture of this release's format. One that is kept must be removed first, and that is right only before a release. */
    @Test
    @EnabledIfSystemProperty(named = "stead.format.write", matches = "true")
    void aFixtureIsMade() throws IOException {
        Fixture fixture = Fixture.of(NEWEST);
        assertThat(fixture.archive()).doesNotExist();
        Path directory = data.resolve("cluster");
        try (Cluster cluster =
                Fixture.cluster(directory, Fixture.OWNER).unchecked("its superuser is another user than this one")) {
            try (SteadFs fs = cluster.connect(Fixture.OWNER, List.of())) {
                FixtureFiles.first(fs);
                FsPath grown = FixtureFiles.grown(fs);
                await("one directory with names of several partitions")
                        .atMost(SOON)
                        .until(() ->
                                fs.partitions(grown).stream().anyMatch(each -> each.countedWith() != each.number()));
            }
            // An opening writes what the logs have to files of rows.
            cluster.stop();
            cluster.startAgain();
            try (SteadFs fs = cluster.connect(Fixture.OWNER, List.of(), Map.of("stead.create.protocol", "leased"))) {
                FixtureFiles.second(fs);
                FileWriter writer = FixtureFiles.open(fs);
                Set<String> open = Set.of(FixtureFiles.OPEN);
                List<String> list = Listed.all(fs, open);
                assertThat(cluster.gauges(List.of("leases.open"))).isNotEmpty();
                cluster.stop();
                fixture.write(directory, list, open);
                cluster.startAgain();
                writer.close();
            }
        }
        System.out.println(fixture + ": " + Files.size(fixture.archive()) + " bytes in " + fixture.archive());
    }
}
