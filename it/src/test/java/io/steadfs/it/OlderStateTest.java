package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.steadfs.admin.StatusOf;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.FileInfo;
import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.membership.Allowed;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.mark.OlderStoreException;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.store.rocks.WalEnds;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An older state of a server's directory is put back: refused; and where its loss is accepted, nothing more is lost, and a check tells what is. */
class OlderStateTest {
    private static final ServerId MDS = ServerId.mds(1);
    private static final ServerId IO = ServerId.io(1);
    private static final int FILES = 12;
    private static final String INTENT_STATUS = "messages.in.INTENT_STATUS";

    private final Path data;
    private final Cluster cluster;
    private final Map<String, byte[]> contents = new LinkedHashMap<>();
    private final Random random = new Random(3);

    OlderStateTest(@TempDir Path data) throws IOException {
        this.data = data.resolve("cluster");
        cluster = Cluster.start(
                this.data,
                1,
                2,
                2,
                Map.of(
                        "stead.io.confirm.after",
                        "300",
                        "stead.io.confirm.interval",
                        "200",
                        "stead.io.lease.duration",
                        "2000",
                        "stead.io.lease.check.interval",
                        "500"));
    }

    private SteadFs connect() {
        return cluster.connect(Cluster.SUPERUSER, List.of());
    }

    /** Files of two columns, so that most have bytes at both IO servers. */
    private List<String> make(String directory) throws IOException {
        List<String> made = new ArrayList<>();
        try (SteadFs fs = connect()) {
            fs.mkdirs(FsPath.parse(directory), 0755, true, false);
            for (int i = 0; i < FILES; i++) {
                String path = directory + "/" + i;
                byte[] content = new byte[i % 4 == 0 ? 150_000 : 1 + random.nextInt(3_000)];
                random.nextBytes(content);
                try (var out = fs.create(FsPath.parse(path), CreateOptions.DEFAULT.withLayout(2, 1 << 16))) {
                    out.write(content, 0, content.length);
                }
                contents.put(path, content);
                made.add(path);
            }
        }
        return made;
    }

    private Set<Handle> datafiles(List<String> paths) throws IOException {
        Set<Handle> all = new HashSet<>();
        try (SteadFs fs = connect()) {
            for (String path : paths) {
                FileInfo info = fs.stat(FsPath.parse(path));
                try (var reader = fs.open(FsPath.parse(path))) {
                    all.addAll(reader.info().layout().orElseThrow().datafiles());
                }
                assertThat(info.length()).isEqualTo(contents.getOrDefault(path, new byte[0]).length);
            }
        }
        all.remove(Handle.NONE);
        return all;
    }

    private void readAll(List<String> paths) throws IOException {
        try (SteadFs fs = connect()) {
            for (String path : paths) {
                try (var reader = fs.open(FsPath.parse(path))) {
                    ByteBuffer bytes = ByteBuffer.allocate((int) reader.info().length());
                    while (bytes.hasRemaining() && reader.read(bytes.position(), bytes) > 0) {
                        // A read may return less than asked for.
                    }
                    assertThat(bytes.array()).as(path).isEqualTo(contents.get(path));
                }
            }
        }
    }

    private void assertRefused(ServerId server, Path store) {
        assertThatThrownBy(() -> cluster.local().startServer(server))
                .isInstanceOf(OlderStoreException.class)
                .hasMessageContaining(store.toString())
                .hasMessageContaining("is an older state of itself")
                .hasMessageContaining("--accept-loss");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private void putBack(ServerId server, Path older) throws IOException {
        delete(data.resolve(server.toString()));
        copy(older, data.resolve(server.toString()));
    }

    private List<String> problems() throws IOException {
        List<String> all = new ArrayList<>();
        try (Connections connections = Connections.ofProcess();
                Connection connection =
                        connections.open(new SteadUri(cluster.local().address()))) {
            for (var port : cluster.ports().entrySet()) {
                all.addAll(StatusOf.server(connection.transport(), port.getKey(), port.getValue())
                        .getProblemsList());
            }
        }
        return all;
    }

    private long counter(ServerId server, String name) throws IOException {
        try (Connections connections = Connections.ofProcess();
                Connection connection =
                        connections.open(new SteadUri(cluster.local().address()))) {
            return StatusOf.server(
                            connection.transport(),
                            server.toString(),
                            cluster.local().addressOf(server))
                    .getCountersOrDefault(name, 0);
        }
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(Duration.ofSeconds(60)).until(condition);
    }

    private static List<JsonNode> findings(JsonNode result) {
        List<JsonNode> all = new ArrayList<>();
        result.get("passes").get(0).get("findings").forEach(all::add);
        return all;
    }

    private static Set<String> found(List<JsonNode> findings, String kind, String field) {
        return findings.stream()
                .filter(each -> each.get("kind").asText().equals(kind))
                .map(each -> each.get(field).asText())
                .collect(Collectors.toSet());
    }

    @Test
    void aServerRefusesAnOlderStateAndGoesOnWithItOnlyWhereTheLossIsAccepted() throws Exception {
        try (cluster) {
            List<String> kept = make("/kept");
            List<String> back = make("/back");
            aCutLogIsRefused(MDS, data.resolve("mds-1/shard-0"));
            aCutLogIsRefused(IO, data.resolve("io-1/store"));
            readAll(kept);
            metadataServer(kept, back);
            ioServer(kept);
        }
    }

    private void aCutLogIsRefused(ServerId server, Path store) throws IOException {
        cluster.local().stopServer(server);
        Path log = WalEnds.newest(store);
        List<Long> ends = WalEnds.of(log);
        byte[] whole = Files.readAllBytes(log);
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            // The very last may be one that was not synced, and that nobody was told of.
            file.setLength(ends.get(ends.size() / 2));
        }
        Path before = data.resolveSibling("before-" + server);
        copy(store, before);
        assertRefused(server, store);
        // What is refused is opened and closed; the newer directory is put back whole.
        delete(store);
        copy(before, store);
        delete(before);
        Files.write(store.resolve(log.getFileName()), whole);
        cluster.local().startServer(server);
    }

    /** The name is held for an operation of the other shard. That shard had it in what it lost. */
    private void holdForALostOperation(Handle directory) throws IOException {
        SlotId slot = new SlotId(1 - directory.shard(), 7, 0);
        try (Store store = RocksStore.open(
                        data.resolve("mds-1/shard-" + directory.shard()), ShardTables.ALL, Settings.defaults());
                Overlay rows = store.overlay()) {
            FsckDamage.hold(DirentKey.of(directory, "f"), slot, rows);
            store.commit(rows, true);
        }
    }

    private void metadataServer(List<String> kept, List<String> back) throws Exception {
        Handle locked;
        try (SteadFs fs = connect()) {
            fs.mkdirs(FsPath.parse("/locked"), 0755, true, false);
            locked = fs.stat(FsPath.parse("/locked")).handle();
            fs.create(FsPath.parse("/locked/f"), CreateOptions.DEFAULT).close();
        }
        Path older = data.resolveSibling("older-mds");
        cluster.local().stopServer(MDS);
        copy(data.resolve(MDS.toString()), older);
        cluster.local().startServer(MDS);
        Set<Handle> removed = datafiles(back);
        try (SteadFs fs = connect()) {
            for (String path : back) {
                fs.delete(FsPath.parse(path), false);
            }
        }
        List<String> lost = make("/lost");
        Set<Handle> lostDatafiles = datafiles(lost);
        await(
                "what was deleted is removed, and what was made confirmed",
                () -> cluster.gauges(List.of("deletion", "datafiles.unconfirmed"))
                        .isEmpty());
        // What a create that was tried again left is gone by now, rightly.
        long neverBefore = counter(IO, "confirm.never");
        cluster.local().stopServer(MDS);
        putBack(MDS, older);
        assertRefused(MDS, data.resolve("mds-1/shard-0"));
        holdForALostOperation(locked);
        cluster.local().startServer(MDS, new Allowed(false, true));

        assertThat(problems().stream().filter(each -> each.contains("is not settled")))
                .hasSize(2)
                .allMatch(
                        each -> each.contains("with an older state, of ") && each.contains("bin/stead fsck --repair"));
        readAll(kept);
        long asked = counter(MDS, INTENT_STATUS);
        await("it was asked for the operation again and again", () -> counter(MDS, INTENT_STATUS) >= asked + 2);
        assertThat(cluster.gauges(List.of("intents.prepared")))
                .as("a shard that lost something does not say that an operation is over")
                .isNotEmpty();
        List<JsonNode> findings = findings(Fsck.result(cluster, Fsck.FOUND));
        assertThat(found(findings, "stale-intent", "what"))
                .singleElement()
                .matches(each -> each.contains("does not know any more, since it is not settled"));
        Set<String> leaked = found(findings, "leaked-datafile", "object");
        assertThat(leaked)
                .as("what still exists of files that are lost")
                .containsAll(lostDatafiles.stream().map(Handle::toString).toList());
        assertThat(found(findings, "missing-datafile", "object"))
                .as("files that are back, without their bytes")
                .isEqualTo(removed.stream().map(Handle::toString).collect(Collectors.toSet()));
        assertThat(found(findings, "missing-datafile", "path")).isEqualTo(Set.copyOf(back));
        assertThat(counter(IO, "confirm.never"))
                .as("datafiles removed on the word of a shard that lost something")
                .isEqualTo(neverBefore);

        JsonNode repaired = Fsck.result(cluster, 0, "--repair", "all");
        assertThat(repaired.get("settled"))
                .hasSize(2)
                .allMatch(each -> each.asText().endsWith("is settled"));
        assertThat(problems().stream().filter(each -> each.contains("is not settled")))
                .isEmpty();
        await(
                "what is lost is removed at last, and leases end",
                () -> cluster.gauges(List.of("deletion", "leases.revoking", "recovery"))
                        .isEmpty());
        readAll(kept);
        assertThat(cluster.gauges(List.of("intents.prepared"))).isEmpty();
        try (SteadFs fs = connect()) {
            fs.rename(FsPath.parse("/locked/f"), FsPath.parse("/locked/g"), RenameMode.NO_REPLACE);
        }
        contents.keySet().retainAll(kept);
        assertThat(make("/after")).hasSize(FILES);
        Fsck.findsNothing(cluster);
    }

    private void ioServer(List<String> kept) throws Exception {
        Path older = data.resolveSibling("older-io");
        int half = 75_000;
        try (SteadFs writing = connect()) {
            var left = writing.create(FsPath.parse("/left"), CreateOptions.DEFAULT.withLayout(2, 1 << 16));
            left.write(new byte[half], 0, half);
            left.hflush();
            cluster.local().stopServer(IO);
            copy(data.resolve(IO.toString()), older);
            cluster.local().startServer(IO);
            List<String> lost = make("/after-io");
            left.write(new byte[half], 0, half);
            left.hflush();
            // Its writer goes away without a close, while the IO server is away, so its recovery meets what the server
            // lost.
            cluster.local().stopServer(IO);
            contents.put("/left", new byte[2 * half]);
            lostBytesAreTold(kept, older, lost, writing);
        }
    }

    private void lostBytesAreTold(List<String> kept, Path older, List<String> lost, SteadFs writing) throws Exception {
        putBack(IO, older);
        assertRefused(IO, data.resolve("io-1/store"));
        cluster.local().startServer(IO, new Allowed(false, true));
        assertThat(problems()).anyMatch(each -> each.startsWith("IO server 1, with an older state, of "));
        readAll(kept);
        Set<String> here = new HashSet<>();
        for (String path : Stream.concat(lost.stream(), Stream.of("/left")).toList()) {
            datafiles(List.of(path)).stream()
                    .filter(each -> each.owner() == 1)
                    .map(Handle::toString)
                    .forEach(here::add);
        }
        assertThat(here).hasSizeGreaterThan(1);
        List<JsonNode> findings = findings(Fsck.result(cluster, Fsck.FOUND));
        Set<String> told = found(findings, "missing-datafile", "object");
        told.addAll(found(findings, "short-datafile", "object"));
        assertThat(told)
                .as("bytes that are lost, of a file that is being written, too")
                .isEqualTo(here);
        assertThat(found(findings, "short-datafile", "path")).contains("/left");

        writing.close();
        await(
                "the file that was left is closed",
                () -> cluster.gauges(List.of("recovery")).isEmpty());
        datafiles(List.of("/left"));
        JsonNode repaired = Fsck.result(cluster, 0, "--repair", "all");
        assertThat(repaired.get("settled"))
                .singleElement()
                .matches(each -> each.asText().matches("io-1, .* is settled"));
        assertThat(problems().stream().filter(each -> each.contains("is not settled")))
                .isEmpty();
        readAll(kept);
    }
}
