package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.fsck.FindingKind;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.ioserver.lease.LeaseRow;
import io.steadfs.ioserver.lease.LeaseRows;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Leases that do not end, and such as overlap, are found and ended beside clients whose leases are sound. */
@Timeout(1800)
class FsckLeasesTest {
    private static final int FILES = Integer.getInteger("stead.fsck.files", 1_000);
    private static final int EACH = 20;
    private static final int CLIENTS = 8;
    private static final int HANDLES = 10;

    private final Path data;
    private final Cluster cluster;

    FsckLeasesTest(@TempDir Path data) throws IOException {
        this.data = data;
        cluster = Cluster.start(
                data, 1, 2, 2, Map.of("stead.io.lease.duration", "600000", "stead.io.lease.check.interval", "3600000"));
    }

    private JsonNode fsck(int exitCode, String... more) throws IOException {
        List<String> options = new ArrayList<>(List.of("--overdue", "0"));
        options.addAll(List.of(more));
        return Fsck.run(cluster, exitCode, options.toArray(String[]::new));
    }

    @Test
    void leasesThatDoNotEndAndSuchAsOverlapAreEnded() throws Exception {
        try (cluster) {
            try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
                IntStream.range(0, FILES).parallel().forEach(i -> write(fs, "/sound-" + i % 100 + "/" + i));
            }
            cluster.stop();
            plant();
            cluster.startAgain();
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong files = new AtomicLong();
            ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
            try {
                List<Future<?>> clients = new ArrayList<>();
                for (int i = 0; i < CLIENTS; i++) {
                    int number = i;
                    clients.add(threads.submit(() -> work(number, over, files)));
                }
                await().atMost(Duration.ofSeconds(60)).until(() -> files.get() > 50);
                JsonNode found = fsck(3).get(0);
                assertThat(found.get("complete").asBoolean()).isTrue();
                assertThat(count(found, FindingKind.EXPIRED_LEASE))
                        .as("%s", found)
                        .isEqualTo(EACH);
                assertThat(count(found, FindingKind.OVERLAPPING_LEASES))
                        .as("%s", found)
                        .isEqualTo(EACH);
                assertThat(found.get("findings")).hasSize(2 * EACH);

                JsonNode passes = fsck(0, "--repair");
                assertThat(passes.get(0).get("repaired").asInt())
                        .as("%s", passes)
                        .isEqualTo(2 * EACH);
                assertThat(passes.get(passes.size() - 1).get("findings")).isEmpty();
                fsck(0);
                over.set(true);
                for (Future<?> each : clients) {
                    each.get();
                }
                System.out.println(FILES + " sound files, " + files + " made by " + CLIENTS + " clients meanwhile");
                System.out.printf(
                        "| expired-lease | %d | %d | %d |%n| overlapping-leases | %d | %d | %d |%n",
                        EACH, EACH, EACH, EACH, EACH, EACH);
            } finally {
                over.set(true);
                threads.shutdown();
            }
        }
    }

    private static int count(JsonNode pass, FindingKind kind) {
        return pass.get("counts").get(kind.label()).asInt();
    }

    /** Some whose time was over long ago, and pairs that have five handles in common. */
    private void plant() throws IOException {
        try (Store store = StoredDatafiles.openStore(data, ServerId.io(1))) {
            Overlay rows = store.overlay();
            long now = System.currentTimeMillis();
            for (int i = 0; i < EACH; i++) {
                put(rows, 1_000L * (1 + i), 1 + i, now - 3_600_000);
                put(rows, 100_000 + 1_000L * i, 101 + i, now + 600_000);
                put(rows, 100_000 + 1_000L * i + HANDLES / 2, 201 + i, now + 600_000);
            }
            store.commit(rows, true);
        }
    }

    private static void put(Overlay rows, long first, long holder, long expiryMillis) {
        HandleRange range = new HandleRange(Handle.of(1, 0xfd, first), Handle.of(1, 0xfd, first + HANDLES - 1));
        LeaseRows.put(rows, new LeaseRow(range, holder, "planted", expiryMillis - 60_000, expiryMillis, false, false));
    }

    /** Makes files of leased handles. */
    private Void work(int number, AtomicBoolean over, AtomicLong files) throws IOException {
        Map<String, String> settings = number % 2 == 0
                ? Map.of("stead.create.protocol", "precreated")
                : Map.of("stead.create.protocol", "unified", "stead.layout.eager", "true");
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of(), settings)) {
            for (int i = 0; !over.get(); i++) {
                write(fs, "/work/" + number + "/" + i % 20);
                files.incrementAndGet();
            }
        }
        return null;
    }

    private static void write(SteadFs fs, String name) {
        try (FileWriter out = fs.create(
                FsPath.parse(name), CreateOptions.DEFAULT.withLayout(2, 1 << 16).withOverwrite(true))) {
            out.write(new byte[100], 0, 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
