package io.steadfs.it.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.it.Cluster;
import io.steadfs.it.Seed;
import io.steadfs.lab.bench.compare.system.HdfsContender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random calls of Hadoop's API on a real HDFS and on SteadFS, step by step; values, listings, classes of exceptions and
 * the paths that they name must be the same. A class counts as the nearest one that a program without HDFS's classes can catch.
 * Where HDFS's exception names a path, ours must; ours may name more. What else is told alike is said in {@link Describe}.
 *
 * <p>What differs and stays is in {@link KeptDifference}, with its reason.
 */
class HdfsJudgeTest {
    private static final int STEPS = Integer.getInteger("stead.judge.steps", 1000);
    private static final Optional<Long> EPISODE = Optional.ofNullable(Long.getLong("stead.judge.episode"));
    private static final int FEW = 1000;
    /** Of few steps: what nobody has met yet is for the profile to find, not for who changes something else. */
    private static final long USUAL_SEED = 71;

    private static final Path HOME = Path.of(System.getProperty("stead.home", ".."));

    @Test
    void everyCallIsAnsweredAsHdfsAnswersIt(@TempDir Path data) throws IOException, InterruptedException {
        long seed = STEPS > FEW ? Seed.OF_RUN : Long.getLong("stead.seed", USUAL_SEED);
        List<Kind> kinds = Stream.of(
                        DataCalls.all(), NameCalls.all(), ContextCalls.all(), RareCalls.all(), UnofferedCalls.all())
                .flatMap(List::stream)
                .toList();
        try (Cleanup cleanup = new Cleanup();
                Cluster cluster = Cluster.start(data.resolve("stead"), 2, Cluster.SPLITTING)) {
            HdfsContender hdfs = new HdfsContender(
                    HOME.resolve("it/hdfs/target/jars"),
                    data.resolve("hdfs"),
                    1,
                    new HdfsContender.Options(
                            false,
                            true,
                            10,
                            Map.of(
                                    "hadoop.user.group.static.mapping.overrides",
                                    Side.USER + "=" + Side.GROUP + ";" + Cluster.SUPERUSER + "=supergroup",
                                    "dfs.checksum.combine.mode",
                                    "COMPOSITE_CRC",
                                    // There is one DataNode, whatever replication a file has.
                                    "dfs.client.block.write.replace-datanode-on-failure.policy",
                                    "NEVER")),
                    cleanup);
            try (Side judge = new Side(
                            hdfs.fileSystem().getUri(), hdfs.fileSystem().getConf());
                    Side ours = new Side(cluster.local().uri(), new Configuration())) {
                Trial trial = new Trial(kinds, judge, ours);
                if (EPISODE.isPresent()) {
                    trial.episode(EPISODE.get());
                } else {
                    trial.run(seed, STEPS);
                }
                System.out.println(trial.report());
                assertThat(trial.found().keySet())
                        .as("seed %d: %s", seed, trial.report())
                        .isEmpty();
            }
        }
    }

    @Test
    void theTableOfDifferencesIsTheList() throws IOException {
        List<String> table = Files.readAllLines(HOME.resolve("docs/hadoop.md")).stream()
                .dropWhile(line -> !line.startsWith("## Differences from HDFS"))
                .dropWhile(line -> !line.startsWith("|---"))
                .skip(1)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        assertThat(table)
                .containsExactlyElementsOf(Arrays.stream(KeptDifference.values())
                        .map(KeptDifference::row)
                        .toList());
    }
}
