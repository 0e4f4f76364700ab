package io.steadfs.it.millions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.local.ProcessCluster;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A check of {@code -Dstead.millions.files=} files, each with a datafile, 2,000,000 by the profile "millions", beside four clients that make and delete files: prints
 * what it took, the most memory of each process, and how many files a second the clients made with it and without.
 */
@DisabledIfSystemProperty(
        named = "stead.millions.files",
        matches = "0",
        disabledReason = "only by profile \"millions\"")
@Timeout(4 * 3600)
class FsckMillionsTest {
    private static final int FILES = Integer.getInteger("stead.millions.files", 0);
    private static final int DIRECTORIES = 200;
    private static final int MAKERS = 64;
    private static final int CLIENTS = 4;
    private static final long ALONE_MILLIS = 30_000;
    private static final long MIB = 1 << 20;
    private static final long MOST_RESIDENT = 512 * MIB;
    private static final List<String> SERVERS = List.of("mds-1", "mds-2", "io-1", "io-2");
    private static final Map<String, String> PROTOCOL = Map.of("stead.create.protocol", "delegated");

    private final AtomicLong made = new AtomicLong();

    @Test
    void isCheckedWhileClientsWork(@TempDir Path data) throws Exception {
        try (ProcessCluster cluster = ProcessCluster.in(data.resolve("cluster"))
                        .mds(2)
                        .shards(2)
                        .ioServers(2)
                        .start();
                Connections connections = Connections.ofOperator();
                Connection connection =
                        connections.open(SteadUri.parse(cluster.uri().toString()), PROTOCOL)) {
            make(connection.fs());
            for (String server : SERVERS) {
                // The most resident memory is counted anew.
                Files.writeString(Path.of("/proc/" + cluster.pidOf(server).orElseThrow() + "/clear_refs"), "5");
            }
            AtomicBoolean over = new AtomicBoolean();
            ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
            List<Future<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                Callable<Void> client = () -> work(connections, cluster, number, over);
                clients.add(threads.submit(client));
            }
            double before = alone();
            check(cluster, "as fast as it goes", before);
            check(cluster, "--rate 20000", before, "--rate", "20000");
            System.out.printf("alone again: %.0f files a second, %.2f of before%n", alone(), alone() / before);
            over.set(true);
            for (Future<Void> client : clients) {
                client.get();
            }
            threads.shutdown();
            for (String server : SERVERS) {
                System.out.printf(
                        "%s: at most %d MiB resident%n",
                        server, mostResident(cluster.pidOf(server).orElseThrow()) / MIB);
            }
        }
    }

    private static FsPath file(int number) {
        return FsPath.ROOT.child("made").child("d" + number % DIRECTORIES).child("file-" + number);
    }

    private static void make(SteadFs fs) throws Exception {
        long began = System.nanoTime();
        for (int i = 0; i < DIRECTORIES; i++) {
            fs.mkdirs(FsPath.ROOT.child("made").child("d" + i), 0755, true, false);
        }
        AtomicInteger next = new AtomicInteger();
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> makers = new ArrayList<>();
        for (int i = 0; i < MAKERS; i++) {
            Thread maker = new Thread(() -> {
                try {
                    for (int file = next.getAndIncrement(); file < FILES; file = next.getAndIncrement()) {
                        fs.create(file(file), CreateOptions.DEFAULT.withLayout(1, 1 << 20))
                                .close();
                    }
                } catch (IOException | RuntimeException e) {
                    failures.add(e);
                }
            });
            makers.add(maker);
            maker.start();
        }
        for (Thread maker : makers) {
            maker.join();
        }
        assertThat(failures).isEmpty();
        System.out.printf("made %,d files in %.0f s%n", FILES, (System.nanoTime() - began) / 1e9);
    }

    private Void work(Connections connections, ProcessCluster cluster, int number, AtomicBoolean over)
            throws IOException {
        try (Connection connection =
                connections.open(SteadUri.parse(cluster.uri().toString()), PROTOCOL)) {
            SteadFs fs = connection.fs();
            FsPath directory = FsPath.ROOT.child("work").child("w" + number);
            fs.mkdirs(directory, 0755, true, false);
            for (int i = 0; !over.get(); i++) {
                FsPath file = directory.child("f" + i % 1000);
                try (var out = fs.create(
                        file, CreateOptions.DEFAULT.withLayout(1, 1 << 20).withOverwrite(true))) {
                    out.write(new byte[100], 0, 100);
                }
                made.incrementAndGet();
            }
        }
        return null;
    }

    /** Files a second, of all clients. */
    private double alone() throws InterruptedException {
        long count = made.get();
        long began = System.nanoTime();
        // The length of a measurement, not a wait for something.
        TimeUnit.MILLISECONDS.sleep(ALONE_MILLIS);
        return (made.get() - count) / ((System.nanoTime() - began) / 1e9);
    }

    private void check(ProcessCluster cluster, String name, double before, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "io.steadfs.cli.Main",
                "fsck",
                "--uri",
                cluster.uri().toString(),
                "--json"));
        command.addAll(List.of(more));
        long count = made.get();
        long began = System.nanoTime();
        Path out = Files.createTempFile("fsck", ".json");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long most = 0;
        while (!process.waitFor(100, TimeUnit.MILLISECONDS)) {
            most = Math.max(most, mostResident(process.pid()));
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        double with = (made.get() - count) / seconds;
        JsonNode pass = new ObjectMapper().readTree(out.toFile()).get("passes").get(0);
        Files.delete(out);
        Map<String, Long> found = new TreeMap<>();
        pass.get("counts").properties().forEach(each -> {
            if (each.getValue().asLong() > 0) {
                found.put(each.getKey(), each.getValue().asLong());
            }
        });
        System.out.printf(
                "check %s: %,d rows in %.0f s, %.0f a second; at most %d MiB resident; clients %.0f files a second,"
                        + " alone %.0f: ratio %.2f%n",
                name,
                pass.get("rows").asLong(),
                seconds,
                pass.get("rows").asLong() / seconds,
                most / MIB,
                with,
                before,
                with / before);
        assertThat(found).as("%s", pass.get("findings")).isEmpty();
        assertThat(pass.get("complete").asBoolean()).as("%s", pass).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(most).as("resident memory of the check").isLessThan(MOST_RESIDENT);
    }

    /** 0 where the process has ended. */
    private static long mostResident(long process) {
        try {
            return Files.readAllLines(Path.of("/proc/" + process + "/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                    .findAny()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
