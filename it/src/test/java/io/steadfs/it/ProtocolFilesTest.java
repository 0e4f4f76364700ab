package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.Entry;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files made by each protocol, with most of them the metafile on another shard than the name: everything works on them, and
 * nothing is left of them, nor of what was leased for them, when they and their makers are gone.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ProtocolFilesTest {
    private static final int SHARDS = 3;
    private static final int FILES = 30;
    private static final int STRIP = 1 << 16;
    private static final List<String> LEFT = List.of(
            "metafiles.unlinked", "outbox", "deletion", "intents", "recovery", "leases", "datafiles.unconfirmed");

    private final Cluster cluster;

    ProtocolFilesTest(@TempDir Path data) throws IOException {
        cluster = Cluster.start(
                data,
                4,
                Map.of(
                        "stead.format.shards",
                        Integer.toString(SHARDS),
                        "stead.io.confirm.after",
                        "500",
                        "stead.io.confirm.interval",
                        "200",
                        "stead.io.lease.duration",
                        "3000",
                        "stead.io.lease.check.interval",
                        "100"));
    }

    @AfterAll
    void stop() throws IOException {
        cluster.close();
    }

    private SteadFs connect(String protocol) {
        boolean eager = protocol.equals("eager");
        return cluster.connect(
                Cluster.SUPERUSER,
                List.of(),
                Map.of(
                        "stead.create.protocol",
                        eager ? "unified" : protocol,
                        "stead.layout.eager",
                        Boolean.toString(eager)));
    }

    private static FsPath path(String text) throws IOException {
        return FsPath.parse(text);
    }

    private static byte[] bytes(int seed) {
        byte[] bytes = new byte[new Random(seed).nextInt(5 * STRIP)];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void write(SteadFs client, FsPath path, byte[] bytes) throws IOException {
        CreateOptions options = CreateOptions.DEFAULT.withLayout(4, STRIP).withOverwrite(true);
        try (FileWriter writer = client.create(path, options)) {
            writer.write(bytes, 0, bytes.length);
        }
    }

    private static byte[] read(SteadFs client, FsPath path) throws IOException {
        try (FileReader reader = client.open(path)) {
            ByteBuffer buffer = ByteBuffer.allocate((int) client.stat(path).length());
            while (buffer.hasRemaining() && reader.read(buffer.position(), buffer) >= 0) {
                // Until it is full.
            }
            return buffer.array();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"basecase", "compound", "leased", "precreated", "unified", "eager", "delegated", "lazy"})
    void areFilesLikeAnyOther(String protocol) throws IOException {
        try (SteadFs fs = connect(protocol);
                SteadFs other = connect(protocol)) {
            areFilesLikeAnyOther(
                    fs, other, List.of("unified", "eager", "delegated", "lazy").contains(protocol));
        }
        nothingIsLeft();
    }

    private static void areFilesLikeAnyOther(SteadFs fs, SteadFs other, boolean together) throws IOException {
        Map<String, byte[]> expected = new TreeMap<>();
        for (int i = 0; i < FILES; i++) {
            String name = "/files/d" + i % 5 + "/f" + i;
            write(fs, path(name), bytes(i));
            expected.put(name, bytes(i));
        }
        Set<Integer> shards = new HashSet<>();
        int elsewhere = 0;
        for (String name : expected.keySet()) {
            int shard = fs.stat(path(name)).handle().shard();
            shards.add(shard);
            elsewhere += fs.stat(path(name.substring(0, name.lastIndexOf('/'))))
                                    .handle()
                                    .shard()
                            == shard
                    ? 0
                    : 1;
        }
        assertThat(shards).as("shards with metafiles").hasSizeGreaterThan(together ? 0 : SHARDS - 1);
        assertThat(elsewhere == 0).as("metafiles beside their names").isEqualTo(together);

        for (int i = 0; i < FILES; i += 3) {
            String old = "/files/d" + i % 5 + "/f" + i;
            String moved = "/files/d" + (i + 1) % 5 + "/moved" + i;
            other.rename(path(old), path(moved), RenameMode.NO_REPLACE);
            expected.put(moved, expected.remove(old));
        }
        for (int i = 1; i < FILES; i += 3) {
            String name = "/files/d" + i % 5 + "/f" + i;
            byte[] more = bytes(100 + i);
            try (FileWriter writer = other.append(path(name))) {
                writer.write(more, 0, more.length);
            }
            byte[] before = bytesOf(expected, name);
            byte[] all = java.util.Arrays.copyOf(before, before.length + more.length);
            System.arraycopy(more, 0, all, before.length, more.length);
            expected.put(name, all);
        }
        for (int i = 2; i < FILES; i += 6) {
            String name = "/files/d" + i % 5 + "/f" + i;
            write(other, path(name), bytes(200 + i));
            expected.put(name, bytes(200 + i));
        }
        for (int i = 5; i < FILES; i += 6) {
            String name = "/files/d" + i % 5 + "/f" + i;
            if (i % 12 == 5) {
                other.delete(path(name), false);
                expected.remove(name);
            } else {
                int length = bytesOf(expected, name).length / 2;
                other.truncate(path(name), length);
                expected.put(name, java.util.Arrays.copyOf(bytesOf(expected, name), length));
            }
        }
        String group = fs.stat(path("/files")).group();
        for (Map.Entry<String, byte[]> file : expected.entrySet()) {
            assertThat(read(fs, path(file.getKey()))).as(file.getKey()).isEqualTo(file.getValue());
            assertThat(fs.stat(path(file.getKey())).group()).isEqualTo(group);
        }
        List<String> listed = new ArrayList<>();
        fs.listTree(path("/files"), false).forEachRemaining(entry -> listed.add("/files/" + entry.name()));
        assertThat(listed).containsExactlyInAnyOrderElementsOf(expected.keySet());
        for (Entry directory : fs.listSorted(path("/files"))) {
            for (Entry entry : fs.listSorted(path("/files/" + directory.name()))) {
                String name = "/files/" + directory.name() + "/" + entry.name();
                assertThat(entry.info().length()).as(name).isEqualTo(bytesOf(expected, name).length);
            }
        }
        fs.delete(path("/files"), true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"basecase", "compound", "leased", "precreated", "eager", "delegated", "lazy"})
    void aRefusedCreateLeavesNothing(String protocol) throws IOException {
        try (SteadFs fs = connect(protocol);
                SteadFs other = connect(protocol)) {
            write(fs, path("/refused/f"), bytes(1));
            for (int i = 0; i < 10; i++) {
                assertThatThrownBy(() -> fs.create(path("/refused/f"), CreateOptions.DEFAULT))
                        .isInstanceOfSatisfying(
                                FsException.class,
                                refused -> assertThat(refused.error()).isEqualTo(FsError.ALREADY_EXISTS));
            }
            assertThat(read(other, path("/refused/f"))).isEqualTo(bytes(1));
            fs.delete(path("/refused"), true);
        }
        nothingIsLeft();
    }

    private void nothingIsLeft() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        Map<String, Long> left = cluster.gauges(LEFT);
        while (!left.isEmpty() && System.nanoTime() < end) {
            Thread.onSpinWait();
            left = cluster.gauges(LEFT);
        }
        assertThat(left).isEmpty();
    }

    private static byte[] bytesOf(Map<String, byte[]> files, String name) {
        return Optional.ofNullable(files.get(name)).orElseThrow(() -> new AssertionError("no file " + name));
    }
}
