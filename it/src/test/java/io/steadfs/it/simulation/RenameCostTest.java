package io.steadfs.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.RenameMode;
import io.steadfs.client.list.FileInfo;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * What a rename of a directory costs where many shards have copies of its name: one message to each, all at once. A
 * directory that only one client has used, such as a task's, costs the same with any number of shards.
 */
class RenameCostTest {
    /** Looks up whole paths, with terms of copies that outlast the preparation. */
    private static final long SEED = 5;

    private static final long LIMIT_MILLIS = 600_000;
    /** Seconds for a dozen; a minute and a half for 256. */
    private static final int MOST_SHARDS = Integer.getInteger("stead.rename.shards", 12);

    private static final long STARTED_MILLIS = 3_000;
    /** Of the simulated network: one way, at most. */
    private static final long MOST_DELAY_MICROS = SimulatedCluster.HEALTHY.mostDelayMicros();

    /** @param recalls messages between shards that take copies back */
    private record Cost(long recalls, long micros) {}

    private static final class Ground {
        private final SimulatedCluster cluster;
        private final SimulatedClient client;

        Ground(int shards) {
            cluster = new SimulatedCluster(
                    new Plan(SEED, shards, shards, 2, "unified", LIMIT_MILLIS, List.of(), List.of()),
                    CrashPoints.Arming.of(List.of()));
            cluster.keepDisksQuick();
            client = cluster.client(
                    new SimulatedClient.Who(CrashPoints.OBSERVER + "-0", SimulatedCluster.SUPERUSER, LIMIT_MILLIS),
                    List.of());
            client.start();
            // Shards that begin ask one another once to drop what they gave in earlier lives.
            cluster.run(() -> false, STARTED_MILLIS);
        }

        private <T> T await(CompletableFuture<T> answer) {
            assertThat(cluster.run(answer::isDone, LIMIT_MILLIS)).isTrue();
            return answer.join();
        }

        FileInfo mkdir(FsPath path) {
            return await(client.fs().names().mkdirs(path, 0777, false, true));
        }

        /** Makes a directory with another below it on each shard, and lets each shard pass the directory. */
        FsPath known(int shards) {
            FsPath top = FsPath.ROOT.child("known");
            mkdir(top);
            Set<Integer> met = new HashSet<>();
            Set<FsPath> below = new HashSet<>();
            for (int i = 0; met.size() < shards; i++) {
                FsPath path = top.child("below-" + i);
                if (met.add(mkdir(path).handle().shard())) {
                    below.add(path);
                }
            }
            for (FsPath each : below) {
                assertThat(await(client.fs().attributes().stat(each)).directory())
                        .isTrue();
                await(client.fs().names().mkdirs(each.child("last"), 0777, false, true));
            }
            return top;
        }

        Cost rename(FsPath from, FsPath to) {
            long recallsBefore = recalls();
            long begin = cluster.around().time().monotonicNanos();
            await(client.fs().names().rename(from, to, RenameMode.NO_REPLACE));
            return new Cost(recalls() - recallsBefore, (cluster.around().time().monotonicNanos() - begin) / 1000);
        }

        private long recalls() {
            Map<String, Long> counted = cluster.around().network().counters().snapshot();
            return counted.getOrDefault("messages.in.RECALL_COPIES", 0L);
        }
    }

    @Test
    void allWhoHaveCopiesAreAskedAtOnce() throws IOException {
        StringBuilder table = new StringBuilder("""
                | shards | a task's: recalls | simulated us | known to all: recalls | simulated us |
                |---:|---:|---:|---:|---:|
                """);
        for (int shards : List.of(1, 3, MOST_SHARDS)) {
            Ground ground = new Ground(shards);
            FsPath task = FsPath.ROOT.child("task");
            ground.mkdir(task);
            Cost ofTask = ground.rename(task, FsPath.ROOT.child("done"));
            assertThat(ofTask.recalls()).as("%s shards", shards).isZero();

            Cost ofKnown = ground.rename(ground.known(shards), FsPath.ROOT.child("renamed"));
            assertThat(ofKnown.recalls()).as("%s shards", shards).isEqualTo(shards - 1);
            // There and back for the client, the prepare and the commit between two shards, and once for all who have
            // copies.
            assertThat(ofKnown.micros()).as("%s shards", shards).isLessThan(10 * MOST_DELAY_MICROS);
            table.append(String.format(
                    "| %d | %d | %d | %d | %d |%n",
                    shards, ofTask.recalls(), ofTask.micros(), ofKnown.recalls(), ofKnown.micros()));
        }
        System.out.print(table);
        Files.writeString(Files.createDirectories(Path.of("target")).resolve("rename-cost.md"), table);
    }
}
