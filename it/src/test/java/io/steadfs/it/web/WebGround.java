package io.steadfs.it.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.process.ServerKeys;
import io.steadfs.cli.web.WebService;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.config.Settings;
import io.steadfs.ioserver.duty.ConfirmDatafiles;
import io.steadfs.it.Cluster;
import io.steadfs.it.FsckDamage;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.path.FsPath;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.Unsettled;
import io.steadfs.store.rocks.RocksStore;
import io.steadfs.webui.RestClient;
import io.steadfs.webui.WebServer;
import io.steadfs.webui.configuration.Configured;
import io.steadfs.webui.login.Users;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A cluster with damage of each kind, and its web interface. */
final class WebGround implements AutoCloseable {
    /** Damages of each kind. */
    static final int EACH = 5;

    private static final int FILES = 1_000;
    private static final int SHARDS = 2;
    private static final int IO_SERVERS = 2;

    private final Path data;
    private final Cluster cluster;
    private final Users.NewUser admin;
    private WebService web;
    private Optional<RestClient> operator = Optional.empty();

    WebGround(Path data, Map<String, String> settings) throws IOException {
        this.data = data;
        Map<String, String> all = new HashMap<>(settings);
        all.put(ConfirmDatafiles.AFTER.name(), FsckDamage.NEVER_CONFIRMED);
        cluster = Cluster.start(data.resolve("cluster"), 1, SHARDS, IO_SERVERS, all);
        try (SteadFs fs = connect(Map.of())) {
            IntStream.range(0, FILES).parallel().forEach(i -> write(fs, "/sound-" + i % 16 + "/" + i));
            FsckDamage.makeDirectories(fs, EACH);
        }
        cluster.stop();
        try (FsckDamage damage = FsckDamage.open(data.resolve("cluster"), SHARDS, EACH)) {
            damage.plant();
        }
        cluster.startAgain();
        web = startWeb();
        admin = web.first().orElseThrow();
    }

    private WebService startWeb() throws IOException {
        return WebService.start(
                new SteadUri(cluster.local().address()),
                WebServer.Options.onLoopback(0, data.resolve("webui")),
                Configured.of("a test", ServerKeys.LOCAL, key -> Optional.empty()));
    }

    /** A client of the superuser. */
    SteadFs connect(Map<String, String> settings) {
        return cluster.connect(Cluster.SUPERUSER, List.of(), settings);
    }

    static void write(SteadFs fs, String name) {
        try (var out = fs.create(
                FsPath.parse(name), CreateOptions.DEFAULT.withLayout(2, 1 << 16).withOverwrite(true))) {
            out.write(new byte[100], 0, 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Cluster cluster() {
        return cluster;
    }

    WebService web() {
        return web;
    }

    Users.NewUser admin() {
        return admin;
    }

    /** The superuser's session, for tests that are not about sessions: to log in takes seconds. */
    RestClient operator() throws IOException, InterruptedException {
        if (operator.isEmpty()) {
            operator = Optional.of(loggedIn());
        }
        return operator.get();
    }

    /** A session of its own. */
    RestClient loggedIn() throws IOException, InterruptedException {
        RestClient client = new RestClient(web.uri());
        assertThat(client.login(admin.name(), admin.password()).status()).isEqualTo(200);
        return client;
    }

    /** Leaves a shard as a salvage leaves it that lost nothing: it is not settled. */
    void salvage(String shard) throws IOException {
        cluster.stop();
        try (Store store =
                        RocksStore.open(data.resolve("cluster").resolve(shard), ShardTables.ALL, Settings.defaults());
                Overlay rows = store.overlay()) {
            Unsettled.mark(rows, ShardTables.META, Unsettled.SALVAGED + "2026-11-25T13:00:00Z");
            store.commit(rows, true);
        }
        cluster.startAgain();
    }

    /** Ends the web interface and starts it again, at another port. */
    void restartWeb() throws IOException {
        web.close();
        operator = Optional.empty();
        web = startWeb();
    }

    @Override
    public void close() throws IOException {
        try {
            web.close();
        } finally {
            cluster.close();
        }
    }
}
