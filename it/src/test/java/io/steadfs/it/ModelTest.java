package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.client.SteadFs;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.handle.Handle;
import io.steadfs.it.model.ModelRun;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A cluster and the reference file system do the same random operations and must answer the same, while the cluster is
 * stopped and started again. {@code -Dstead.model.operations=} says how many, {@code -Dstead.seed=} repeats a run. At
 * the end the IO servers hold the datafiles that the files list, and no other.
 */
class ModelTest {
    private static final long OPERATIONS = Long.getLong("stead.model.operations", 4_000);
    private static final int PARTS = 3;
    private static final int IO_SERVERS = 4;
    /** Gauges of work that goes on in the background. */
    private static final List<String> UNFINISHED =
            List.of("deletion.", "recovery.", "datafiles.unconfirmed", "intents.", "outbox.");

    private static final List<String> GROUPS = List.of("staff");
    private static final Duration BACKGROUND_WORK = Duration.ofMinutes(1);

    /** What nobody attached is looked for soon. */
    private static final Map<String, String> SETTINGS =
            Cluster.splitting(Map.of("stead.io.confirm.after", "1000", "stead.io.confirm.interval", "200"));

    @ParameterizedTest(name = "{0} shards")
    @ValueSource(ints = {1, 3})
    void twoClientsInTurn(int shards, @TempDir Path data) throws IOException {
        twoClientsInTurn(data, shards, SETTINGS, OPERATIONS);
    }

    /** Wherever rows are read, they are the same; so few are kept that they come and go. */
    @Test
    void twoClientsInTurnOnShardsThatKeepRows(@TempDir Path data) throws IOException {
        Map<String, String> settings = new HashMap<>(SETTINGS);
        settings.put("stead.mds.rows.bytes", "64k");
        twoClientsInTurn(data, 3, settings, OPERATIONS / 4);
    }

    /** However files are made, they are the same. */
    @Test
    void twoClientsInTurnThatCreateByBasecase(@TempDir Path data) throws IOException {
        Map<String, String> settings = new HashMap<>(SETTINGS);
        settings.put("stead.create.protocol", "basecase");
        twoClientsInTurn(data, 1, settings, OPERATIONS / 8);
    }

    private static void twoClientsInTurn(Path data, int shards, Map<String, String> settings, long operations)
            throws IOException {
        try (Cluster cluster = Cluster.start(data, shards, shards, IO_SERVERS, settings)) {
            try (SteadFs operator = cluster.connect(Cluster.SUPERUSER, List.of());
                    SteadFs alice = cluster.connect("alice", GROUPS);
                    SteadFs bob = cluster.connect("bob", GROUPS)) {
                ModelRun run = new ModelRun(
                        Seed.OF_RUN,
                        FsPath.ROOT,
                        superuser(operator),
                        List.of(new ModelRun.User("alice", GROUPS, alice), new ModelRun.User("bob", GROUPS, bob)));
                run.prepare();
                for (int part = 0; part < PARTS; part++) {
                    if (part > 0) {
                        cluster.stop();
                        cluster.startAgain();
                    }
                    run.run(operations / PARTS);
                }
                run.finish();
                run.compareAll();
                report(run, PARTS - 1);
            }
            assertNothingLeaks(cluster, data);
        }
    }

    @ParameterizedTest(name = "{0} shards")
    @ValueSource(ints = {1, 3})
    void twoClientsAtTheSameTime(int shards, @TempDir Path data) throws IOException {
        try (Cluster cluster = Cluster.start(data, shards, shards, IO_SERVERS, SETTINGS)) {
            try (SteadFs operator = cluster.connect(Cluster.SUPERUSER, List.of());
                    SteadFs alice = cluster.connect("alice", GROUPS);
                    SteadFs bob = cluster.connect("bob", GROUPS)) {
                List<ModelRun> runs = List.of(
                        alone("alice", Seed.OF_RUN, operator, alice), alone("bob", Seed.OF_RUN + 1, operator, bob));
                for (int part = 0; part < 2; part++) {
                    if (part > 0) {
                        cluster.stop();
                        cluster.startAgain();
                    }
                    atTheSameTime(runs, run -> run.run(OPERATIONS / 8));
                }
                for (ModelRun run : runs) {
                    run.finish();
                    run.compareAll();
                    report(run, 1);
                }
            }
            assertNothingLeaks(cluster, data);
        }
    }

    private static ModelRun.User superuser(SteadFs fs) {
        return new ModelRun.User(Cluster.SUPERUSER, List.of(), fs);
    }

    /** One client in a directory of its own, with a reference of its own. */
    private static ModelRun alone(String user, long seed, SteadFs operator, SteadFs fs) throws IOException {
        ModelRun run = new ModelRun(
                seed, FsPath.parse(user), superuser(operator), List.of(new ModelRun.User(user, GROUPS, fs)));
        run.prepare();
        return run;
    }

    private interface Part {
        void of(ModelRun run);
    }

    private static void atTheSameTime(List<ModelRun> runs, Part part) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (ModelRun run : runs) {
            all.add(CompletableFuture.runAsync(() -> part.of(run)));
        }
        all.forEach(CompletableFuture::join);
    }

    private static void report(ModelRun run, int restarts) {
        System.out.println(run.steps() + " steps agree, with " + restarts + " restarts; by outcome: " + run.outcomes());
    }

    /** When all background work is done, the datafiles on the disks are those that files list. */
    private static void assertNothingLeaks(Cluster cluster, Path data) throws IOException {
        await("removal and confirmation of datafiles")
                .atMost(BACKGROUND_WORK)
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> assertThat(cluster.gauges(UNFINISHED)).isEmpty());
        NavigableSet<Handle> listed = new TreeSet<>();
        try (SteadFs operator = cluster.connect(Cluster.SUPERUSER, List.of())) {
            Iterator<Entry> files = operator.listTree(FsPath.ROOT, false);
            while (files.hasNext()) {
                FileInfo file = files.next().info();
                assertThat(file.open()).as("%s is open", file).isFalse();
                assertThat(file.layout().isPresent())
                        .as("%s", file)
                        .isEqualTo(file.linkTarget().isEmpty());
                file.layout().stream()
                        .flatMap(layout -> layout.datafiles().stream())
                        .filter(handle -> !handle.isNone())
                        .forEach(listed::add);
            }
        }
        cluster.stop();
        NavigableSet<Handle> stored = new TreeSet<>();
        for (int number = 1; number <= IO_SERVERS; number++) {
            NavigableSet<Handle> rows = StoredDatafiles.rows(data, ServerId.io(number));
            assertThat(rows)
                    .as("datafiles of IO server %d that are files, and its files", number)
                    .containsAll(StoredDatafiles.files(data, ServerId.io(number)));
            stored.addAll(rows);
        }
        assertThat(stored).as("datafiles on IO servers, and in layouts").isEqualTo(listed);
        System.out.println(listed.size() + " datafiles are listed, and the same " + stored.size() + " are stored");
    }
}
