package io.steadfs.it.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.it.Cluster;
import io.steadfs.it.Fsck;
import io.steadfs.it.Seed;
import io.steadfs.it.SplitDirectories;
import io.steadfs.partition.NameHash;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Listings of a directory in which 24 threads make, remove and rename names, while it splits from one partition to 24
 * or more, and merges back to one. A slow listing by each way takes as long as all that. Quick ones begin and end
 * meanwhile. Each has every name once that was there throughout, and nothing that was not there.
 * {@code -Dstead.listing.runs=} says how many runs, {@code -Dstead.listing.seconds=} how long each takes at least.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ListingBesideChurnTest {
    private static final int RUNS = Integer.getInteger("stead.listing.runs", 1);
    private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("stead.listing.seconds", 4));
    private static final Duration MOST = LENGTH.plusSeconds(180);

    private static final int SHARDS = 3;
    private static final int SPLIT_ENTRIES = 200;
    private static final int MANY_PARTITIONS = 24;
    /** So that most of 16 partitions split once more. */
    private static final int MOST_NAMES = 20 * SPLIT_ENTRIES;

    private static final int CLIENTS = 8;
    /** With what the threads have at least, so few that all are merged. */
    private static final int KEPT = 40;

    private static final int KEPT_BYTES = 100;

    private final Path data;
    private final Cluster cluster;
    private final Cleanup cleanup = new Cleanup();
    private final List<SteadFs> clients = new ArrayList<>();
    private final SteadFs judge;
    private final Way.Clients slow;
    private final Way.Clients quick;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    ListingBesideChurnTest(@TempDir Path data) throws IOException {
        this.data = data;
        cluster = Cluster.start(
                data,
                SHARDS,
                SHARDS,
                1,
                Map.of(
                        "stead.partition.merge.quiet",
                        "0",
                        "stead.partition.split.entries",
                        Integer.toString(SPLIT_ENTRIES),
                        "stead.partition.per.shard",
                        "8"));
        judge = cleanup.add(client(Map.of()));
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(cleanup.add(client(Map.of("stead.lookup", i % 4 == 0 ? "component" : "direct"))));
        }
        slow = cleanup.add(listers(Way.PAGE));
        quick = cleanup.add(listers(100));
    }

    private SteadFs client(Map<String, String> more) {
        return cluster.connect(Cluster.SUPERUSER, List.of(), more);
    }

    private Way.Clients listers(int page) throws IOException {
        Map<String, String> settings = Map.of("stead.client.list.page", Integer.toString(page));
        Map<String, String> component = new HashMap<>(settings);
        component.put("stead.lookup", "component");
        Configuration conf = new Configuration();
        conf.set("fs.stead.list.sorted.entries", "0");
        settings.forEach((key, value) -> conf.set("fs." + key, value));
        return new Way.Clients(
                FileSystem.newInstance(cluster.local().uri(), conf), client(settings), client(component));
    }

    @AfterAll
    void stop() throws IOException {
        threads.shutdownNow();
        cluster.settle();
        int directories = SplitDirectories.directories(judge);
        cleanup.close();
        cluster.close();
        SplitDirectories.requireNone(data, directories);
    }

    @TestFactory
    Stream<DynamicTest> eachNameIsListedOnce() {
        return IntStream.range(0, RUNS).mapToObj(number -> DynamicTest.dynamicTest("run " + number, () -> run(number)));
    }

    /** One directory, and what is known of it. */
    private record Ground(FsPath directory, Lives lives, Map<String, Way.Met> kept, Phases phases) {}

    private void run(int number) throws Exception {
        FsPath directory = FsPath.ROOT.child("churn-" + number);
        judge.mkdirs(directory, 0755, false, true);
        Lives lives = new Lives();
        Map<String, Way.Met> kept = new HashMap<>();
        List<String> replaced = new ArrayList<>();
        for (int i = 0; i < KEPT; i++) {
            keep(i, directory, lives, kept, replaced);
        }
        assertThat(partitions(directory)).as("partitions at first").isEqualTo(1);
        Phases phases = new Phases(LENGTH, MANY_PARTITIONS, MOST);
        Ground ground = new Ground(directory, lives, kept, phases);
        long began = System.nanoTime();
        try (Churn churn = new Churn(directory, lives, replaced, MOST_NAMES, phases)) {
            churn.start(clients, Seed.OF_RUN + number);
            List<Future<Listed>> slowly = new ArrayList<>();
            for (Way way : Way.values()) {
                slowly.add(threads.submit(() -> list(way, slow, ground, true)));
            }
            Future<Listed> quickly = threads.submit(() -> listQuickly(ground));
            await("partitions of " + directory)
                    .atMost(MOST)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> {
                        phases.saw(partitions(directory));
                        churn.requireNoFailure();
                        requireNoFailure(slowly);
                        requireNoFailure(List.of(quickly));
                        return phases.isOver();
                    });
            Listed ofSlow = Listed.NOTHING;
            for (Future<Listed> each : slowly) {
                ofSlow = ofSlow.plus(each.get());
            }
            Listed ofQuick = quickly.get();
            churn.end();
            System.out.printf(
                    "| %d | %d s | %d s | %d | %d | %s | %s |%n",
                    number,
                    phases.grew().toSeconds(),
                    Duration.ofNanos(System.nanoTime() - began).toSeconds(),
                    churn.operations(),
                    phases.mostPartitions(),
                    ofSlow,
                    ofQuick);
        } finally {
            phases.giveUp();
        }
        assertThat(phases.mostPartitions()).isGreaterThanOrEqualTo(MANY_PARTITIONS);
        assertThat(partitions(directory)).as("partitions at last").isEqualTo(1);
        Set<String> left = new TreeSet<>();
        judge.listSorted(directory).forEach(entry -> left.add(entry.name()));
        assertThat(left).isEqualTo(lives.present());
        Fsck.findsNothing(cluster);
        judge.delete(directory, true);
    }

    private int partitions(FsPath directory) throws IOException {
        return judge.partitions(directory).size();
    }

    /** Makes a name that stays: a file, a directory, a link, or a file in whose place others come. */
    private void keep(int i, FsPath directory, Lives lives, Map<String, Way.Met> kept, List<String> replaced)
            throws IOException {
        String name = "kept-" + i;
        FsPath path = directory.child(name);
        lives.making(name);
        switch (i % 4) {
            case 0 -> {
                judge.mkdirs(path, 0755, false, true);
                kept.put(name, new Way.Met(name, true, false, 0));
            }
            case 1 -> {
                judge.createSymlink(path, "target", false, 0755);
                kept.put(name, new Way.Met(name, false, true, 0));
            }
            case 2 -> {
                judge.create(path, CreateOptions.DEFAULT).close();
                kept.put(name, new Way.Met(name, false, false, 0));
                replaced.add(name);
            }
            default -> {
                try (FileWriter writer = judge.create(path, CreateOptions.DEFAULT)) {
                    writer.write(new byte[KEPT_BYTES], 0, KEPT_BYTES);
                }
                kept.put(name, new Way.Met(name, false, false, KEPT_BYTES));
            }
        }
        lives.made(name);
    }

    private static void requireNoFailure(List<Future<Listed>> listings)
            throws ExecutionException, InterruptedException {
        for (Future<Listed> each : listings) {
            if (each.isDone()) {
                each.get();
            }
        }
    }

    /** How much was listed: names in all, and such that were there throughout. */
    private record Listed(int listings, long names, long throughout) {
        static final Listed NOTHING = new Listed(0, 0, 0);

        Listed plus(Listed more) {
            return new Listed(listings + more.listings, names + more.names, throughout + more.throughout);
        }

        @Override
        public String toString() {
            return listings + " | " + names + " | " + throughout;
        }
    }

    /** Listings one after the other, by each way in turn. */
    private Listed listQuickly(Ground ground) throws IOException {
        Listed all = Listed.NOTHING;
        while (!ground.phases().isOver()) {
            for (Way way : Way.values()) {
                all = all.plus(list(way, quick, ground, false));
            }
        }
        return all;
    }

    /** @param slowly whether the listing is as far among the hashes of names as the run is among its phases */
    private static Listed list(Way way, Way.Clients clients, Ground ground, boolean slowly) throws IOException {
        List<String> names = new ArrayList<>();
        long began = System.nanoTime();
        way.list(clients, ground.directory(), met -> {
            names.add(met.name());
            Way.Met kept = ground.kept().get(met.name());
            if (kept != null) {
                assertThat(met).as("%s", way).isEqualTo(kept);
            }
            if (slowly) {
                ground.phases().await((NameHash.of(met.name()) >>> 1) / (double) Long.MAX_VALUE);
            }
        });
        long ended = System.nanoTime();
        int throughout = ground.lives().require(way + (slowly ? ", slowly" : ""), names, began, ended);
        return new Listed(1, names.size(), throughout);
    }
}
