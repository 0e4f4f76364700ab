package io.steadfs.it.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.config.Settings;
import io.steadfs.it.Seed;
import io.steadfs.it.power.PoweredServers.Home;
import io.steadfs.membership.ServerId;
import io.steadfs.wire.proto.Caller;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Real servers lose their power, one, several or all at a moment, while clients work; their disks forget what was not
 * synced, names too. Everything that was acknowledged is there afterwards, each time. Only where a number of losses is
 * asked for: {@code -Dstead.power.cycles=}.
 */
class PowerLossTest {
    private static final int CYCLES = Integer.getInteger("stead.power.cycles", 0);
    private static final int MDS = 2;
    private static final int SHARDS = 3;
    private static final int IO = 2;
    private static final int SCRIBES = 4;
    private static final int MOST_OPERATIONS = 150;
    /** So many losses take unsynced bytes for certain; about one in four of them does. */
    private static final int MANY_CYCLES = 50;

    private static final Duration SOON = Duration.ofMinutes(2);

    private static final Map<String, String> SERVERS = Map.ofEntries(
            Map.entry("stead.zookeeper.session.timeout", "4000"),
            Map.entry("stead.zookeeper.connect.timeout", "60000"),
            // Small, so that the store writes, replaces and removes files often.
            Map.entry("stead.store.cache.bytes", "16m"),
            Map.entry("stead.store.memtable.bytes", "1m"),
            Map.entry("stead.disk.reserve", "16m"),
            Map.entry("stead.session.duration", "8000"),
            Map.entry("stead.mds.io.timeout", "5000"),
            Map.entry("stead.io.open.bytes", "32m"),
            Map.entry("stead.io.queue.bytes", "32m"),
            Map.entry("stead.io.confirm.after", "5000"),
            Map.entry("stead.io.confirm.interval", "2000"));

    @TempDir
    Path directory = Path.of("");

    private final Random random = new Random(Seed.OF_RUN);
    private final ReadWriteLock gate = new ReentrantReadWriteLock(true);
    private final AtomicLong acknowledged = new AtomicLong();
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();
    private final List<Scribe> scribes = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<SteadFs> clients = new ArrayList<>();
    private Loss dropped = Loss.NOTHING;
    private int files;
    private int doubts;

    @BeforeEach
    void possible() throws Exception {
        assumeTrue(CYCLES > 0, "the profile \"power\" runs it, as does -Dstead.power.cycles=6");
        Disks.assumePossible(directory);
    }

    @AfterEach
    void end() throws IOException {
        // An operation that waits for servers that are gone ends with its client.
        scribes.forEach(Scribe::stop);
        clients.forEach(SteadFs::close);
        stopScribes();
        try (Stream<Path> logs = Files.list(directory)) {
            for (Path log :
                    logs.filter(file -> file.toString().endsWith(".log")).toList()) {
                Path kept =
                        Files.createDirectories(Path.of("target", "power-loss")).resolve(directory.relativize(log));
                Files.copy(log, kept, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private SteadFs connect(PoweredServers servers, String timeoutMillis) {
        Settings settings = Settings.of(Map.of(
                "stead.client.operation.timeout",
                timeoutMillis,
                "stead.client.attempt.timeout",
                "4000",
                "stead.client.backoff.most",
                "300"));
        SteadFs fs = SteadClient.connect(
                settings,
                servers.addresses(),
                Caller.newBuilder().setUser(System.getProperty("user.name")).build());
        clients.add(fs);
        return fs;
    }

    /** The last one has little patience, so that many of its operations are never answered. */
    private void startScribes(PoweredServers servers) throws IOException {
        for (int i = 0; i < SCRIBES; i++) {
            SteadFs fs = connect(servers, i == SCRIBES - 1 ? "2500" : "90000");
            Scribe scribe = new Scribe(i, fs, new Random(Seed.OF_RUN + i), gate, acknowledged, problems);
            scribe.begin();
            scribes.add(scribe);
            Thread thread = new Thread(scribe, "scribe-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void stopScribes() {
        scribes.forEach(Scribe::stop);
        for (Thread thread : threads) {
            try {
                thread.join(SOON.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void awaitWork(int operations) {
        long before = acknowledged.get();
        await("operations are done")
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(3))
                .until(() -> acknowledged.get() >= before + operations || !problems.isEmpty());
    }

    /**
     * All ledgers against what is there, between two operations of each.
     *
     * @param graceIsOver as in {@link Audit#of}
     */
    private List<String> audit(SteadFs fs, boolean graceIsOver) {
        gate.writeLock().lock();
        try {
            List<String> found = new ArrayList<>(problems);
            doubts = 0;
            for (Scribe scribe : scribes) {
                Audit.Outcome outcome = Audit.of(fs, scribe.ledger(), graceIsOver);
                found.addAll(outcome.problems());
                files += outcome.files();
                doubts += scribe.ledger().doubts.size();
            }
            return found;
        } finally {
            gate.writeLock().unlock();
        }
    }

    private List<ServerId> victims(List<ServerId> all) {
        List<ServerId> some = new ArrayList<>(all);
        Collections.shuffle(some, random);
        int dice = random.nextInt(10);
        return dice < 2 ? all : some.subList(0, dice < 7 ? 1 : 1 + random.nextInt(all.size() - 1));
    }

    /** Where they fail to start, that is what the loss did. */
    private void restart(PoweredServers servers, List<ServerId> victims) throws IOException {
        servers.begin(victims);
        if (random.nextInt(10) == 0) {
            // The power goes again while they start, at one moment of the next second.
            await("a moment of the start")
                    .pollDelay(Duration.ofMillis(1 + random.nextInt(2500)))
                    .until(() -> true);
            dropped = dropped.plus(servers.lose(victims, seed()));
            servers.begin(victims);
        }
        servers.awaitReady(victims);
    }

    private OptionalLong seed() {
        return random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextLong());
    }

    @Test
    void nothingAcknowledgedIsLost() throws Exception {
        Map<String, Integer> kinds = new HashMap<>();
        long begun = System.nanoTime();
        long restartNanos = 0;
        long auditNanos = 0;
        int cyclesWithLoss = 0;
        try (PoweredServers servers = new PoweredServers(directory, Home.DISK, MDS, SHARDS, IO, SERVERS)) {
            long ready = System.nanoTime();
            SteadFs auditor = connect(servers, "90000");
            startScribes(servers);
            for (int cycle = 1; cycle <= CYCLES; cycle++) {
                awaitWork(1 + random.nextInt(MOST_OPERATIONS));
                List<ServerId> victims = victims(servers.ids());
                OptionalLong seed = seed();
                long before = System.nanoTime();
                Loss loss = servers.lose(victims, seed);
                dropped = dropped.plus(loss);
                cyclesWithLoss += loss.droppedBytes() > 0 ? 1 : 0;
                String what = "cycle " + cycle + ", " + victims + (seed.isPresent() ? " keep some: " : " forget all: ")
                        + loss;
                restart(servers, victims);
                long restarted = System.nanoTime();
                assertThat(audit(auditor, false))
                        .as("after %s, -Dstead.seed=%d", what, Seed.OF_RUN)
                        .isEmpty();
                restartNanos += restarted - before;
                auditNanos += System.nanoTime() - restarted;
                kinds.merge(
                        victims.size() == servers.ids().size() ? "all" : victims.size() == 1 ? "one" : "several",
                        1,
                        Integer::sum);
                kinds.merge(seed.isPresent() ? "keep some" : "forget all", 1, Integer::sum);
                System.out.printf(
                        "%s; %d ms to restart, %d ms to audit%n",
                        what,
                        TimeUnit.NANOSECONDS.toMillis(restarted - before),
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - restarted));
            }
            long cycled = System.nanoTime() - ready;
            stopScribes();
            scribes.forEach(Scribe::end);
            await("files whose writer failed are recovered, and nothing is missing")
                    .atMost(SOON)
                    .untilAsserted(() -> {
                        assertThat(audit(auditor, true)).isEmpty();
                        assertThat(unrecovered()).isEmpty();
                    });
            report(String.format(
                    Locale.ROOT,
                    "%d power losses of %d metadata and %d IO servers (%s): %d operations acknowledged, files read %d times, "
                            + "%d operations never answered; dropped %d bytes and %d changes of directories that were not "
                            + "synced, kept %d pages and %d changes of such; bytes were dropped in %d cycles; start %.1f s,"
                            + " a cycle %.1f s, of that until all serve again %.1f s, audit %.1f s%n",
                    CYCLES,
                    MDS,
                    IO,
                    new TreeMap<>(kinds),
                    acknowledged.get(),
                    files,
                    doubts,
                    dropped.droppedBytes(),
                    dropped.droppedEntries(),
                    dropped.keptPages(),
                    dropped.keptEntries(),
                    cyclesWithLoss,
                    (ready - begun) / 1e9,
                    cycled / 1e9 / CYCLES,
                    restartNanos / 1e9 / CYCLES,
                    auditNanos / 1e9 / CYCLES));
        }
        if (CYCLES >= MANY_CYCLES) {
            assertThat(dropped.droppedBytes()).as("bytes that disks dropped").isPositive();
        }
        assertThat(dropped.droppedEntries())
                .as("changes of directories that disks dropped")
                .isPositive();
    }

    private Map<String, Ledger.Thing> unrecovered() {
        Map<String, Ledger.Thing> found = new TreeMap<>();
        scribes.forEach(scribe -> scribe.ledger().sure.forEach((name, thing) -> {
            if (thing instanceof Ledger.Written file && file.state != Ledger.State.CLOSED) {
                found.put(name, thing);
            }
        }));
        return found;
    }

    private static void report(String line) throws IOException {
        System.out.print(line);
        Path target = Files.createDirectories(Path.of("target"));
        Files.writeString(target.resolve("power-loss.txt"), line, StandardCharsets.UTF_8);
    }

    /** A cluster that was started for the first time a moment ago. */
    @ParameterizedTest
    @EnumSource
    void theFirstLossIsAsAnyOther(Home home) throws Exception {
        try (PoweredServers servers = new PoweredServers(directory, home, MDS, SHARDS, IO, SERVERS)) {
            SteadFs auditor = connect(servers, "20000");
            startScribes(servers);
            awaitWork(100);
            servers.lose(servers.ids(), OptionalLong.empty());
            servers.begin(servers.ids());
            servers.awaitReady(servers.ids());
            assertThat(audit(auditor, false)).isEmpty();
        }
    }

    /** The test finds what a disk loses that says it has synced, and has not. */
    @ParameterizedTest
    @CsvSource({"mds-1, FILES", "io-1, FILES", "io-1, DIRECTORIES"})
    void aDiskThatLiesIsFound(String victim, Disk.Lie lie) throws Exception {
        ServerId id = ServerId.parse(victim);
        try (PoweredServers servers = new PoweredServers(directory, Home.DISK, 1, 1, 1, SERVERS)) {
            SteadFs auditor = connect(servers, "90000");
            startScribes(servers);
            awaitWork(20);
            assertThat(audit(auditor, true)).isEmpty();
            servers.disks().lie(victim, lie);
            awaitWork(100);
            stopScribes();
            servers.lose(List.of(id), OptionalLong.empty());
            servers.begin(List.of(id));
            List<String> found;
            try {
                servers.awaitReady(List.of(id));
                found = audit(auditor, false);
            } catch (IOException e) {
                found = List.of(String.valueOf(e.getMessage()));
            }
            assertThat(found).as("losses found").isNotEmpty();
            System.out.printf(
                    "%s lied about %s: %d losses found, the first: %s%n", victim, lie, found.size(), found.get(0));
        }
    }
}
