package io.steadfs.it.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.PartitionInfo;
import io.steadfs.it.Cluster;
import io.steadfs.it.SplitDirectories;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A directory with many names is on all shards, whether it has split by itself or was spread at once. When a shard is
 * added, it gets its part of both.
 */
@Timeout(300)
class WideDirectoryTest {
    private static final int NAMES = 400;
    private static final Duration SOON = Duration.ofMinutes(2);

    /** Each shard has about the same part of all hashes. */
    private static void requireEven(SteadFs fs, FsPath directory, int shards) throws IOException {
        Map<Integer, Double> parts = fs.partitions(directory).stream()
                .collect(Collectors.groupingBy(
                        PartitionInfo::shard,
                        TreeMap::new,
                        Collectors.summingDouble(each -> 1.0 / (1 << each.depth()))));
        assertThat(parts).hasSize(shards);
        assertThat(parts.values()).allSatisfy(part -> assertThat(part).isBetween(0.7 / shards, 1.3 / shards));
    }

    private static Set<String> names(SteadFs fs, FsPath directory) throws IOException {
        Set<String> names = new TreeSet<>();
        for (Iterator<Entry> each = fs.list(directory); each.hasNext(); ) {
            assertThat(names.add(each.next().name())).isTrue();
        }
        return names;
    }

    @Test
    void partitionsGoToTheNewShard(@TempDir Path data) throws Exception {
        Path files = data.resolve("cluster");
        FsPath wide = FsPath.parse("/wide");
        FsPath ready = FsPath.parse("/ready");
        try (Cluster cluster = Cluster.start(files, 1, 3, 1, Cluster.SPLITTING);
                SteadClient fs = cluster.connect(Cluster.SUPERUSER, List.of(), Map.of())) {
            Set<String> made = new TreeSet<>();
            for (int i = 0; i < NAMES; i++) {
                made.add("d" + i);
                fs.mkdirs(wide.child("d" + i), 0755, true, false);
            }
            fs.mkdirs(ready, 0755, true, false);
            SplitDirectories.spread(fs, ready, NAMES);
            for (String name : made) {
                fs.mkdirs(ready.child(name), 0755, true, false);
            }
            for (FsPath each : List.of(wide, ready)) {
                await("a third on each shard").atMost(SOON).untilAsserted(() -> requireEven(fs, each, 3));
            }
            new AdminShards(cluster.local().zooKeeper(), files).add();
            for (FsPath each : List.of(wide, ready)) {
                await("a quarter on each shard").atMost(SOON).untilAsserted(() -> requireEven(fs, each, 4));
                assertThat(names(fs, each)).isEqualTo(made);
            }
            fs.mkdirs(wide.child("more"), 0755, false, true);
            made.add("more");
            assertThat(names(fs, wide)).isEqualTo(made);
        }
    }
}
