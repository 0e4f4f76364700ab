package io.steadfs.it;

import io.steadfs.cli.connect.Cleanup;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.counting.Counters;
import io.steadfs.cli.local.OwnCluster;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.handle.Handle;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a create of N columns costs by each protocol, with leases of L handles that are asked for when none is left ("File
 * Creation Strategies in a Distributed Metadata File System", section 3: k x L creates after warm-up). Messages and fsyncs
 * are counted on the servers. The table is left in {@code target/create-costs.txt}.
 */
@TestInstance(Lifecycle.PER_CLASS)
class CreateCostTest {
    private static final int IO_SERVERS = 4;
    private static final int LEASE = 20;
    /** So many that each server gives out whole leases, and as many begin as end. */
    private static final int CREATES = IO_SERVERS * LEASE;

    private static final List<Integer> WIDTHS = List.of(1, 2, 4, 8, 16, 26);

    /** Messages of a create itself. */
    private static final List<String> OF_CREATE = List.of(
            "CREATE", "CREATE_METAFILE", "CREATE_DATAFILE", "ATTACH", "LINK", "LEASE_HANDLES", "RESERVE_HANDLE");

    private final Cleanup cleanup = new Cleanup();
    private final Connections connections;
    private final SteadUri cluster;

    CreateCostTest(@TempDir Path data) throws IOException {
        connections = cleanup.add(Connections.ofProcess());
        cluster = OwnCluster.start(data, IO_SERVERS, cleanup);
    }

    @AfterAll
    void stop() {
        cleanup.close();
    }

    private enum Protocol {
        BASECASE(1),
        COMPOUND(1),
        LEASED(LEASE),
        PRECREATED(LEASE),
        EAGER(LEASE),
        LAZY(LEASE),
        DELEGATED(LEASE);

        private final int lease;

        Protocol(int lease) {
            this.lease = lease;
        }

        Map<String, String> settings() {
            String name = this == EAGER ? "unified" : toString();
            return Map.of(
                    "stead.create.protocol",
                    name,
                    "stead.layout.eager",
                    "true",
                    "stead.client.lease.handles.min",
                    Integer.toString(LEASE),
                    "stead.client.lease.handles.max",
                    Integer.toString(LEASE),
                    "stead.client.lease.ahead",
                    "false");
        }

        int creates() {
            return lease == 1 ? 10 : CREATES;
        }

        /** Messages of so many creates. */
        long expected(int width, int creates) {
            return switch (this) {
                case BASECASE -> (long) creates * (width + 3);
                case COMPOUND, LEASED -> (long) creates * (width + 2);
                case PRECREATED -> (long) creates * 2 + (long) creates * width / LEASE;
                case DELEGATED -> creates;
                case EAGER, LAZY -> creates + (long) creates * width / LEASE;
            };
        }

        /** Steps of {@link #creates} creates. */
        long steps(int width) {
            return switch (this) {
                case BASECASE -> 4L * creates();
                case COMPOUND -> 3L * creates();
                case PRECREATED -> 2L * creates() + waiting(width);
                case LEASED -> 2L * creates();
                case DELEGATED -> creates();
                case EAGER, LAZY -> creates() + waiting(width);
            };
        }

        /**
         * How many of {@link #CREATES} creates wait for leases, for all that one needs at once. While enough servers have
         * handles at hand the others are passed over, so that with up to as many columns as servers one create in 20 waits.
         * 26 columns are spread unevenly, and run out at some servers before others.
         */
        private static long waiting(int width) {
            return width <= IO_SERVERS
                    ? CREATES / LEASE
                    : width <= 16 ? (long) CREATES / LEASE * width / IO_SERVERS : 44;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Test
    void messagesAreThoseOfThePaper() throws IOException {
        SoftAssertions soft = new SoftAssertions();
        List<String> table = new ArrayList<>();
        table.add("protocol    N   messages  steps   fsyncs mds  fsyncs io");
        for (Protocol protocol : Protocol.values()) {
            for (int width : WIDTHS) {
                measure(protocol, width, soft, table);
            }
        }
        Files.write(Path.of("target", "create-costs.txt"), table);
        table.forEach(System.out::println);
        soft.assertAll();
    }

    private void measure(Protocol protocol, int width, SoftAssertions soft, List<String> table) throws IOException {
        int creates = protocol.creates();
        try (Connection client = connections.open(cluster, protocol.settings())) {
            FsPath folder = FsPath.parse("/cost/" + protocol + "-" + width);
            client.fs().mkdirs(folder, 0755, true, true);
            for (int i = 0; i < creates; i++) {
                create(client, folder, "warm-up-" + i, width);
            }
            if (protocol == Protocol.DELEGATED) {
                awaitSupply(client, folder, width);
            }
            Counters before = client.counters();
            long steps = 0;
            for (int i = 0; i < creates; i++) {
                client.transport().beginOperation();
                create(client, folder, "file-" + i, width);
                steps += client.transport().steps();
            }
            Counters counted = client.counters().since(before);
            TreeMap<String, Long> messages = new TreeMap<>(counted.messages());
            messages.keySet().retainAll(OF_CREATE);
            if (protocol == Protocol.DELEGATED) {
                // The shard's own, whenever it likes.
                messages.remove("LEASE_HANDLES");
            }
            long sum = messages.values().stream().mapToLong(Long::longValue).sum();
            soft.assertThat(sum)
                    .as("messages of %d creates, %s, N = %d: %s", creates, protocol, width, messages)
                    .isEqualTo(protocol.expected(width, creates));
            table.add(String.format(
                    Locale.ROOT,
                    "%-10s %2d   %8.3f  %5.3f   %10.3f  %9.3f",
                    protocol,
                    width,
                    (double) sum / creates,
                    (double) steps / creates,
                    (double) counted.fsyncs("mds") / creates,
                    (double) counted.fsyncs("io") / creates));
            soft.assertThat(steps)
                    .as("steps of %d creates, %s, N = %d", creates, protocol, width)
                    .isEqualTo(protocol.steps(width));
        }
    }

    /** Creates until the shard has leased as much as creates of this rate need. */
    private static void awaitSupply(Connection client, FsPath folder, int width) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        int supplied = 0;
        for (int i = 0; supplied < CREATES && System.nanoTime() < end; i++) {
            FsPath path = FsPath.parse(folder + "/supply-" + i);
            create(client, folder, "supply-" + i, width);
            boolean all = client.fs().stat(path).layout().orElseThrow().datafiles().stream()
                    .noneMatch(Handle::isNone);
            supplied = all ? supplied + 1 : 0;
        }
        Assertions.assertThat(supplied)
                .as("files in a row with %d datafiles", width)
                .isEqualTo(CREATES);
    }

    /** The file stays open: only the create is counted. */
    private static void create(Connection client, FsPath folder, String name, int width) throws IOException {
        var unused =
                client.fs().create(FsPath.parse(folder + "/" + name), CreateOptions.DEFAULT.withLayout(width, 1 << 16));
    }
}
