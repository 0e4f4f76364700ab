package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.fsck.FindingKind;
import io.steadfs.ioserver.duty.ConfirmDatafiles;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage of each kind is planted on the disks of a cluster, and found while clients work; nothing else is. */
class FsckTest {
    private static final int EACH = 20;
    private static final int FILES = Integer.getInteger("stead.fsck.files", 1_000);
    private static final int WORKERS = Integer.getInteger("stead.fsck.workers", 4);
    private static final int SHARDS = 2;
    private static final List<String> PROTOCOLS = List.of("unified", "precreated", "delegated", "lazy");

    private final Path data;
    private final Cluster cluster;
    private final Map<String, Integer> found = new TreeMap<>();
    private final Map<String, Integer> repaired = new TreeMap<>();

    FsckTest(@TempDir Path data) throws IOException {
        this.data = data;
        cluster = Cluster.start(
                data,
                1,
                SHARDS,
                2,
                Map.of(
                        "stead.partition.split.entries",
                        "8",
                        "stead.io.lease.duration",
                        "2000",
                        "stead.io.lease.check.interval",
                        "100",
                        ConfirmDatafiles.AFTER.name(),
                        FsckDamage.NEVER_CONFIRMED));
    }

    private JsonNode fsck(int exitCode, String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of("--page", "100"));
        options.addAll(List.of(more));
        JsonNode passes = Fsck.run(cluster, exitCode, options.toArray(String[]::new));
        passes.forEach(pass -> System.out.printf(
                "fsck %s: %d rows in %.1f s, %d repaired%n",
                String.join(" ", more),
                pass.get("rows").asLong(),
                pass.get("seconds").asDouble(),
                pass.get("repaired").asInt()));
        return passes;
    }

    @Test
    void findsWhatWasPlantedAndNothingElse() throws Exception {
        try (cluster) {
            try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
                for (int i = 0; i < 16; i++) {
                    split(fs, "/sound-" + i);
                }
                for (int i = 0; i < WORKERS; i++) {
                    split(fs, "/moved/" + i);
                }
                IntStream.range(0, FILES).parallel().forEach(i -> sound(fs, i));
                for (FindingKind kind : FindingKind.values()) {
                    split(fs, "/planted/" + kind.label());
                }
                FsckDamage.makeDirectories(fs, 2 * EACH);
            }
            AtomicLong files = new AtomicLong();
            busy(files, () -> {
                for (int i = 0; i < 3; i++) {
                    fsck(0, "--scrub");
                }
            });
            cluster.stop();
            Map<FindingKind, Integer> planted;
            int healed;
            try (FsckDamage damage = FsckDamage.open(data, SHARDS, EACH)) {
                planted = damage.plant(true);
                healed = damage.healed();
            }
            cluster.startAgain();
            busy(files, () -> {
                for (int i = 0; i < 2; i++) {
                    JsonNode result = fsck(3, "--scrub").get(0);
                    assertThat(result.get("complete").asBoolean()).isTrue();
                    Map<String, Integer> counts = new TreeMap<>();
                    for (FindingKind kind : FindingKind.values()) {
                        counts.put(
                                kind.label(),
                                result.get("counts").get(kind.label()).asInt());
                    }
                    Map<String, Integer> expected = new TreeMap<>();
                    for (FindingKind kind : FindingKind.values()) {
                        expected.put(kind.label(), planted.getOrDefault(kind, 0));
                    }
                    assertThat(counts).as("%s", result.get("findings")).isEqualTo(expected);
                }
            });
            int givenUp = FindingKind.givingUp().stream().mapToInt(planted::get).sum();
            busy(files, () -> {
                JsonNode passes = fsck(3, "--scrub", "--repair");
                JsonNode first = passes.get(0);
                first.get("counts")
                        .properties()
                        .forEach(
                                each -> found.put(each.getKey(), each.getValue().asInt()));
                count(passes);
                assertThat(first.get("repaired").asLong() + settledByTheServers(first))
                        .as("%s", passes)
                        .isEqualTo(first.get("findings").size() - givenUp);
                JsonNode last = passes.get(passes.size() - 1);
                assertThat(last.get("findings"))
                        .as("data is not given up unasked")
                        .hasSize(givenUp - healed);
                count(fsck(0, "--scrub", "--repair", "all"));
                fsck(0, "--scrub");
            });
            System.out.printf("%d files, beside %d that were made by %d clients%n", FILES, files.get(), WORKERS);
            planted.forEach((kind, count) -> System.out.printf(
                    "| %s | %d | %d | %d |%n",
                    kind.label(), count, found.getOrDefault(kind.label(), 0), repaired.getOrDefault(kind.label(), 0)));
        }
    }

    /** Slots of operations that nobody knows. Their shard asks for them by itself, and may be quicker than the check. */
    private static long settledByTheServers(JsonNode pass) {
        return pass.get("repairs")
                .valueStream()
                .filter(each -> each.get("kind").asText().equals(FindingKind.STALE_INTENT.label()))
                .filter(each -> each.get("done").asText().startsWith("STALE_VERSION"))
                .count();
    }

    /** What was repaired of what the first check found; more comes to light by repairs. */
    private void count(JsonNode passes) {
        for (JsonNode repair : passes.get(0).get("repairs")) {
            if (repair.get("repaired").asBoolean()) {
                repaired.merge(repair.get("kind").asText(), 1, Integer::sum);
            }
        }
    }

    /** Makes a directory of several partitions on both shards. */
    private static void split(SteadFs fs, String path) throws IOException {
        fs.mkdirs(FsPath.parse(path), 0755, true, false);
        FsckDamage.split(fs, FsPath.parse(path));
    }

    private static void sound(SteadFs fs, int i) {
        try {
            write(fs, "/sound-" + i % 16 + "/" + i, 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    /** While clients create, append to and delete files, by protocols with leases and without. */
    private void busy(AtomicLong files, Step step) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                int number = i;
                workers.add(threads.submit(() -> work(number, over, files)));
            }
            long before = files.get();
            org.awaitility.Awaitility.await()
                    .atMost(java.time.Duration.ofSeconds(60))
                    .until(() -> files.get() > before + 50);
            step.run();
            over.set(true);
            for (Future<?> each : workers) {
                each.get();
            }
        } finally {
            over.set(true);
            threads.shutdown();
        }
    }

    private Void work(int number, AtomicBoolean over, AtomicLong files) throws IOException {
        String protocol = PROTOCOLS.get(number % PROTOCOLS.size());
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of(), Map.of("stead.create.protocol", protocol))) {
            for (int i = 0; !over.get(); i++) {
                String name = "/work/" + number + "/" + i / 200 + "/" + i % 20;
                write(fs, name, i % 3 == 0 ? 0 : 70_000);
                if (i % 5 == 0) {
                    fs.delete(FsPath.parse(name), false);
                }
                move(fs, number, i);
                if (number == 0 && i % 30 == 0) {
                    large(fs);
                }
                files.incrementAndGet();
            }
        }
        return null;
    }

    /** Files and directories, from one to another and back, so that names, parents and objects change on all shards. */
    private static void move(SteadFs fs, int number, int i) throws IOException {
        String tree = "/moved/" + number;
        FsPath from = FsPath.parse(tree + "/a-" + i % 7 + "/deep");
        FsPath to = FsPath.parse(tree + "/b-" + i % 5 + "/deeper");
        fs.mkdirs(from, 0755, true, false);
        if (i % 2 == 0) {
            split(fs, from.toString());
        }
        write(fs, from + "/file", 10);
        delete(fs, FsPath.parse(from + "/link"));
        fs.createSymlink(FsPath.parse(from + "/link"), "file", false, 0755);
        fs.mkdirs(FsPath.parse(tree + "/b-" + i % 5), 0755, true, false);
        delete(fs, to);
        fs.rename(from, to, RenameMode.NO_REPLACE);
        fs.rename(FsPath.parse(to + "/file"), FsPath.parse(tree + "/" + i % 3), RenameMode.OVERWRITE);
        fs.rename(FsPath.parse(to + "/link"), FsPath.parse(tree + "/link-" + i % 3), RenameMode.OVERWRITE);
        if (i % 10 == 0) {
            delete(fs, FsPath.parse(tree + "/b-" + i % 5));
        }
    }

    /** A directory that splits by itself, and whose names are cleared in several steps. */
    private static void large(SteadFs fs) throws IOException {
        for (int i = 0; i < 600; i++) {
            write(fs, "/large/" + i, 0);
        }
        delete(fs, FsPath.parse("/large"));
    }

    private static void delete(SteadFs fs, FsPath tree) throws IOException {
        try {
            fs.delete(tree, true);
        } catch (FsException e) {
            assertThat(e.error()).isEqualTo(FsError.NOT_FOUND);
        }
    }

    private static void write(SteadFs fs, String name, int bytes) throws IOException {
        try (var out = fs.create(
                FsPath.parse(name), CreateOptions.DEFAULT.withLayout(2, 1 << 16).withOverwrite(true))) {
            out.write(new byte[bytes], 0, bytes);
        }
    }
}
