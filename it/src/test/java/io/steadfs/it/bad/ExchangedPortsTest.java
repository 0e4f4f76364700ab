package io.steadfs.it.bad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.steadfs.cli.local.LocalCluster;
import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.it.Cluster;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.Caller;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two clusters on one machine, formatted alike, so that their handles are the same; their ports are exchanged while clients
 * run. Every request is refused, nobody reads or writes a byte of the other one, and when the ports are as before the same
 * clients go on.
 */
@Timeout(300)
class ExchangedPortsTest {
    private static final int BYTES = 300_000;
    private static final String OPERATION_MILLIS = "5000";

    private final Path data;

    ExchangedPortsTest(@TempDir Path data) {
        this.data = data;
    }

    /** Something that a client does. */
    private interface Act {
        void run() throws IOException;
    }

    private LocalCluster start(String name) throws IOException {
        return LocalCluster.in(data.resolve(name)).mds(1).ioServers(2).start();
    }

    private static SteadClient client(LocalCluster cluster) {
        return SteadClient.connect(
                Settings.of(Map.of("stead.client.operation.timeout", OPERATION_MILLIS)),
                List.of(cluster.address()),
                Caller.newBuilder().setUser(Cluster.SUPERUSER).build());
    }

    private static void write(SteadFs fs, String path, byte value) throws IOException {
        byte[] bytes = new byte[BYTES];
        java.util.Arrays.fill(bytes, value);
        try (FileWriter writer = fs.create(FsPath.parse(path), CreateOptions.DEFAULT)) {
            writer.write(bytes, 0, bytes.length);
        }
    }

    /** Path, and how often which byte is in it. */
    private static Map<String, Map<Byte, Integer>> contents(SteadFs fs) throws IOException {
        Map<String, Map<Byte, Integer>> all = new TreeMap<>();
        for (var entry : fs.listSorted(FsPath.parse("/d"))) {
            try (FileReader reader = fs.open(FsPath.parse("/d").child(entry.name()))) {
                Map<Byte, Integer> counts = new TreeMap<>();
                for (byte each : Frames.bytes(reader)) {
                    counts.merge(each, 1, Integer::sum);
                }
                all.put(entry.name(), counts);
            }
        }
        return all;
    }

    /** Each server of one gets the port of its like of the other. */
    private void exchangePorts() throws IOException {
        Properties first = ports("first");
        Properties second = ports("second");
        for (String server : List.of("mds-1", "io-1", "io-2")) {
            String port = first.getProperty(server);
            first.setProperty(server, second.getProperty(server));
            second.setProperty(server, port);
        }
        store("first", first);
        store("second", second);
    }

    private Properties ports(String name) throws IOException {
        Properties ports = new Properties();
        try (Reader reader = Files.newBufferedReader(data.resolve(name).resolve("ports"))) {
            ports.load(reader);
        }
        return ports;
    }

    private void store(String name, Properties ports) throws IOException {
        try (Writer writer = Files.newBufferedWriter(data.resolve(name).resolve("ports"))) {
            ports.store(writer, "exchanged by a test");
        }
    }

    @Test
    void everyRequestIsRefusedAndNotAByteIsWrong() throws IOException {
        LocalCluster first = start("first");
        LocalCluster second = start("second");
        try (SteadClient ofFirst = client(first);
                SteadClient ofSecond = client(second)) {
            ofFirst.mkdirs(FsPath.parse("/d"), 0755, true, false);
            ofSecond.mkdirs(FsPath.parse("/d"), 0755, true, false);
            write(ofFirst, "/d/a", (byte) 1);
            write(ofSecond, "/d/a", (byte) 2);
            write(ofFirst, "/d/b", (byte) 1);
            write(ofSecond, "/d/b", (byte) 2);
            Map<String, Map<Byte, Integer>> inFirst = contents(ofFirst);
            Map<String, Map<Byte, Integer>> inSecond = contents(ofSecond);
            FileReader reader = ofFirst.openUnread(FsPath.parse("/d/a"));
            FileWriter writer = ofFirst.create(FsPath.parse("/d/open"), CreateOptions.DEFAULT);
            writer.write(new byte[BYTES], 0, BYTES);
            writer.hsync();
            String firstId = ofFirst.clusterMap().getFileSystem();
            String secondId = ofSecond.clusterMap().getFileSystem();

            first.close();
            second.close();
            exchangePorts();
            first = start("first");
            second = start("second");
            assertThat(first.address().port()).as("exchanged").isNotEqualTo(0);

            List<String> told = refused(acts(ofFirst, reader, writer));
            assertThat(told)
                    .as("what the client is told")
                    .allSatisfy(
                            line -> assertThat(line).contains(firstId, secondId).containsAnyOf("means", "was meant"));
            // Whoever comes now and knows only an address gets what is there, and it is as it was.
            try (SteadClient now = client(first)) {
                assertThat(contents(now).entrySet()).containsAll(inFirst.entrySet());
                assertThat(now.stat(FsPath.parse("/d/open")).directory()).isFalse();
                assertThat(now.find(FsPath.parse("/d/made"))).isEmpty();
            }
            try (SteadClient now = client(second)) {
                assertThat(contents(now)).isEqualTo(inSecond);
            }

            first.close();
            second.close();
            exchangePorts();
            first = start("first");
            second = start("second");
            try (FileReader again = ofFirst.open(FsPath.parse("/d/a"))) {
                assertThat(Frames.bytes(again)).hasSize(BYTES).containsOnly(1);
            }
            assertThat(contents(ofSecond)).isEqualTo(inSecond);
        } finally {
            first.close();
            second.close();
        }
    }

    /** All that a client does with files; none of it may be done. */
    private static Map<String, Act> acts(SteadFs fs, FileReader reader, FileWriter writer) throws FsException {
        FsPath a = FsPath.parse("/d/a");
        Map<String, Act> acts = new LinkedHashMap<>();
        acts.put("stat", () -> fs.stat(a));
        acts.put("list", () -> fs.listSorted(FsPath.parse("/d")));
        acts.put("open", () -> fs.open(a).close());
        acts.put("read", () -> reader.read(0, ByteBuffer.allocate(1000)));
        acts.put("create", () -> write(fs, "/d/made", (byte) 1));
        acts.put("hsync", () -> {
            writer.write(new byte[BYTES], 0, BYTES);
            writer.hsync();
        });
        acts.put("mkdirs", () -> fs.mkdirs(FsPath.parse("/made"), 0755, true, false));
        acts.put("delete", () -> fs.delete(a, false));
        acts.put("rename", () -> fs.rename(a, FsPath.parse("/d/c"), RenameMode.NO_REPLACE));
        acts.put("set attributes", () -> fs.setAttributes(a, AttributeChange.mode(0600)));
        acts.put("content summary", () -> fs.contentSummary(FsPath.ROOT));
        return acts;
    }

    private static List<String> refused(Map<String, Act> acts) {
        List<CompletableFuture<String>> all = acts.entrySet().stream()
                .map(act -> CompletableFuture.supplyAsync(
                        () -> {
                            Throwable refusal =
                                    catchThrowable(() -> act.getValue().run());
                            assertThat(refusal)
                                    .as(act.getKey())
                                    .isInstanceOfAny(FsException.class, IOException.class, UncheckedIOException.class);
                            String line = act.getKey() + ": " + refusal;
                            System.out.println(line);
                            return line;
                        },
                        task -> new Thread(task, act.getKey()).start()))
                .toList();
        return all.stream().map(CompletableFuture::join).toList();
    }
}
