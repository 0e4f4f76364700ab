package io.steadfs.it.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.error.FsException;
import io.steadfs.it.Cluster;
import io.steadfs.it.Fsck;
import io.steadfs.it.Grounds;
import io.steadfs.it.SplitDirectories;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A directory with 32 partitions on three shards is removed, or gets another name, while another client makes files in
 * it. Of both, exactly one outcome is right, and nothing of the directory is left over: no name, no partition, no entry
 * of its map. In some rounds partitions split or merge meanwhile. The file system is checked every so many rounds, and
 * the rows of all shards at the end.
 */
class SplitDirectoryRaceTest extends Races<Cluster> {
    private static final int SHARDS = 3;
    private static final int IO_SERVERS = 2;
    private static final int CHECK_EVERY = Math.max(100, ROUNDS / 10);

    private final Path data;
    /** Walks from the root. */
    private final SteadFs walker = connect(cluster, "component");

    private final AtomicInteger handOvers = new AtomicInteger();

    SplitDirectoryRaceTest(@TempDir Path data) throws IOException {
        super(
                "split-directory-races.md",
                SHARDS,
                Cluster.start(
                        data,
                        SHARDS,
                        SHARDS,
                        IO_SERVERS,
                        Map.of(
                                "stead.partition.merge.quiet",
                                "0",
                                "stead.partition.split.entries",
                                Integer.toString(WideDirectory.SPLIT_ENTRIES),
                                "stead.partition.per.shard",
                                Integer.toString(WideDirectory.PARTITIONS_PER_SHARD))),
                SplitDirectoryRaceTest::direct,
                SplitDirectoryRaceTest::direct);
        this.data = data;
        SplitDirectories.keepOne(judge, FsPath.ROOT);
    }

    /** The directories of a race have more names at a time than one that stays whole. */
    @Override
    void prepare(Grounds grounds) throws IOException {
        for (FsPath each : grounds.all()) {
            SplitDirectories.keepOne(judge, each);
        }
    }

    private static SteadFs direct(Cluster cluster) {
        return connect(cluster, "direct");
    }

    private static SteadFs connect(Cluster cluster, String lookup) {
        return cluster.connect(Cluster.SUPERUSER, List.of(), Map.of("stead.lookup", lookup));
    }

    @Override
    Map<String, Long> gauges(List<String> prefixes) throws FsException {
        return cluster.gauges(prefixes);
    }

    @Override
    void beforeRound(int number) throws IOException {
        if (number % CHECK_EVERY == CHECK_EVERY - 1) {
            Fsck.findsNothing(cluster);
        }
    }

    @AfterAll
    void stop() throws IOException {
        int directories = SplitDirectories.directories(judge);
        walker.close();
        close();
        cluster.close();
        SplitDirectories.requireNone(data, directories);
    }

    /** Who removes or renames the directory in a round: one that sends whole paths, and one that walks from the root, in turn. */
    private SteadFs remover(int round) {
        return round % 2 == 0 ? clients.get(0) : walker;
    }

    private WideDirectory wide(Grounds grounds, int round) throws IOException {
        WideDirectory wide = new WideDirectory(judge, grounds.of(round, 0).child("d" + round), round);
        if (wide.hadHandOvers()) {
            handOvers.incrementAndGet();
        }
        return wide;
    }

    private void race(String name, Course course) throws Exception {
        handOvers.set(0);
        run(name, course);
        Fsck.findsNothing(cluster);
        System.out.println(name + ": partitions split or merged in " + handOvers + " rounds of " + ROUNDS);
        assertThat(handOvers).as("rounds beside hand overs").hasPositiveValue();
    }

    /** Either a file was there first and the directory stays, or it is gone and no file was made. */
    @Test
    void rmdirAgainstCreates() throws Exception {
        race("rmdir-create", (grounds, round) -> {
            WideDirectory wide = wide(grounds, round);
            Attempt attempt = (fs, client) -> {
                wide.empty(fs, client);
                if (client == 0) {
                    remover(round).delete(wide.path(), false);
                } else {
                    wide.fill(fs);
                }
            };
            return Contest.round(attempt, outcome -> {
                if (outcome.winnerWhereTheOtherIsTold("NOT_EMPTY", "NOT_FOUND") == 0) {
                    assertThat(outcome.second()).isEqualTo("NOT_FOUND");
                    assertThat(wide.made()).as("files that were made").isZero();
                } else {
                    assertThat(outcome.first()).isEqualTo("NOT_EMPTY");
                    wide.requireAt(wide.path(), false);
                    wide.remove();
                }
                wide.requireNothingLeft();
                return Map.of();
            });
        });
    }

    /** What was made before the removal goes with the directory. Nothing is made afterwards. */
    @Test
    void recursiveDeleteAgainstCreates() throws Exception {
        race("delete-tree-create", (grounds, round) -> {
            WideDirectory wide = wide(grounds, round);
            judge.create(wide.path().child("before"), CreateOptions.DEFAULT).close();
            Attempt attempt = (fs, client) -> {
                if (client == 0) {
                    remover(round).delete(wide.path(), true);
                } else {
                    wide.fill(fs);
                }
            };
            return Contest.round(attempt, outcome -> {
                assertThat(outcome.first()).isEqualTo(Outcome.DONE);
                assertThat(outcome.second()).isIn(Outcome.DONE, "NOT_FOUND");
                isGone(wide.path().child("before"));
                wide.requireNothingLeft();
                return Map.of();
            });
        });
    }

    /** What was made has moved with the directory. Nothing is made under the old name afterwards. */
    @Test
    void renameAgainstCreates() throws Exception {
        race("rename-create", (grounds, round) -> {
            WideDirectory wide = wide(grounds, round);
            FsPath target = grounds.of(round, 1).child("e" + round);
            Attempt attempt = (fs, client) -> {
                if (client == 0) {
                    remover(round).rename(wide.path(), target, RenameMode.NO_REPLACE);
                } else {
                    wide.fill(fs);
                }
            };
            return Contest.round(attempt, outcome -> {
                assertThat(outcome.first()).isEqualTo(Outcome.DONE);
                assertThat(outcome.second()).isIn(Outcome.DONE, "NOT_FOUND");
                wide.requireAt(target, true);
                wide.requireNothingLeft();
                judge.delete(target, true);
                return Map.of();
            });
        });
    }
}
