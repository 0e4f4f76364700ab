package io.steadfs.it.bad;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.cli.Main;
import io.steadfs.client.SteadFs;
import io.steadfs.it.Cluster;
import io.steadfs.it.StoredDatafiles;
import io.steadfs.membership.EmbeddedZooKeeper;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.path.FsPath;
import io.steadfs.secret.SecretFile;
import io.steadfs.secret.TestSecret;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Servers that cannot start: one line says what is wrong and where, the exit code is not 0, and the cluster that runs
 * beside goes on. The commands of {@code bin/stead} run in this process.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class StartTest {
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private final Map<String, String> hidden = new HashMap<>();
    private final AnswerTable table = new AnswerTable("start", "Servers that cannot start");
    private final Path data;
    private final Path first;
    private final Cluster cluster;

    StartTest(@TempDir Path data) throws IOException {
        this.data = data;
        first = data.resolve("first");
        hideTestProperties();
        cluster = Cluster.start(first, 2, Map.of()).unchecked("IO servers that it knows have ended");
    }

    /** To a command every property that begins so is a configuration key. */
    private void hideTestProperties() {
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith("stead.") && !name.equals("stead.home")) {
                hidden.put(name, System.getProperty(name, ""));
                System.clearProperty(name);
            }
        }
    }

    @AfterAll
    void stop() throws IOException {
        hidden.forEach(System::setProperty);
        table.write();
        cluster.close();
    }

    private void refused(String input, int exitCode, List<String> words, String... arguments) throws IOException {
        StringWriter out = new StringWriter();
        StringWriter errors = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(errors));

        int code = command.execute(arguments);

        String told = errors.toString().strip();
        String line = told.lines().findFirst().orElse("");
        table.add(input, line + " (exit code " + code + ")");
        assertThat(code).as(input + ": " + told).isEqualTo(exitCode);
        assertThat(line).as(input).contains(words);
        assertThat(told).as(input).doesNotContain("\tat ");
        assertThat(out.toString()).as(input).isEmpty();
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            assertThat(fs.stat(FsPath.ROOT).directory())
                    .as("the cluster beside")
                    .isTrue();
        }
    }

    private String[] io(int id, Path directory, String... more) {
        return io(cluster.local().zooKeeper(), id, directory, more);
    }

    private String[] io(String zooKeeper, int id, Path directory, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "ioserver",
                "--id",
                String.valueOf(id),
                "--dir",
                directory.toString(),
                "--set",
                ZooKeeperTree.CONNECT.name() + "=" + zooKeeper,
                "--set",
                secret(),
                "--set",
                "stead.metrics.port=0"));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    /** That of the cluster beside. */
    private String secret() {
        return SecretFile.FILE.name() + "=" + first.resolve("cluster.secret");
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(data.resolve(name), content);
    }

    @Test
    void configuration() throws IOException {
        Path unknown = write("unknown.conf", "stead.io.lanes = 2\nstead.io.lames = 3\n");
        Path badValue = write("bad-value.conf", "stead.io.lanes = many\n");
        Path broken = write("broken.conf", "stead {\n");
        Path unused = data.resolve("unused");
        refused(
                "unknown key in a configuration file",
                FAILED,
                List.of("stead.io.lames", unknown + ", line 2", "stead.io.lanes"),
                io(9, unused, "--conf", unknown.toString()));
        refused(
                "unknown key on the command line",
                FAILED,
                List.of("stead.io.lames"),
                io(9, unused, "--set", "stead.io.lames=3"));
        refused(
                "a metadata server's key for an IO server",
                FAILED,
                List.of("stead.session.duration"),
                io(9, unused, "--set", "stead.session.duration=1000"));
        refused(
                "bad value in a configuration file",
                FAILED,
                List.of("stead.io.lanes", "'many'", badValue.toString()),
                io(9, unused, "--conf", badValue.toString()));
        refused(
                "value out of range",
                FAILED,
                List.of("stead.io.lanes", "'0'", "1..64"),
                io(9, unused, "--set", "stead.io.lanes=0"));
        refused(
                "configuration file that is no HOCON",
                FAILED,
                List.of(broken.toString()),
                io(9, unused, "--conf", broken.toString()));
        refused(
                "configuration file that is not there",
                FAILED,
                List.of("absent.conf"),
                io(9, unused, "--conf", data.resolve("absent.conf").toString()));
        assertThat(unused).doesNotExist();
    }

    @Test
    void ports() throws IOException {
        int taken = cluster.port("io-1").port();
        refused(
                "port in use, IO server",
                FAILED,
                List.of(String.valueOf(taken), "in use"),
                io(9, data.resolve("io-9"), "--set", "stead.port=" + taken));
        refused(
                "port in use, local cluster",
                FAILED,
                List.of(String.valueOf(taken), "in use"),
                "local",
                "--dir",
                data.resolve("other-local").toString(),
                "--port",
                String.valueOf(taken));
    }

    @Test
    void directories() throws IOException {
        Path second = data.resolve("second");
        Cluster.start(second, 2, Map.of()).close();
        Path foreign = StoredDatafiles.directory(second, ServerId.io(1));
        refused(
                "data directory of another cluster",
                FAILED,
                List.of(foreign.toString(), "file system"),
                io(1, foreign));
        refused(
                "data directory in use",
                FAILED,
                List.of(first.resolve("io-1").toString(), "in use"),
                io(1, first.resolve("io-1")));
        refused(
                "directory of a local cluster that runs",
                FAILED,
                List.of(first.toString(), "in use"),
                "local",
                "--dir",
                first.toString());
        cluster.local().stopServer(ServerId.io(2));
        refused(
                "data directory of another server",
                FAILED,
                List.of(first.resolve("io-2").toString(), "io-2", "io-9"),
                io(9, first.resolve("io-2")));
        refused(
                "empty directory for a server that has stored data",
                FAILED,
                List.of("io-2", "--replace-store"),
                io(2, data.resolve("empty")));
        cluster.local().startServer(ServerId.io(2));
        Path file = write("a-file", "");
        refused("data directory that is a file", FAILED, List.of(file.toString()), io(9, file));
        refused("data directory that cannot be made", FAILED, List.of("/proc/stead"), io(9, Path.of("/proc/stead")));
    }

    @Test
    void formats() throws IOException {
        try (EmbeddedZooKeeper empty = EmbeddedZooKeeper.start(data.resolve("zookeeper"), 0)) {
            refused(
                    "server before format",
                    FAILED,
                    List.of("no file system", "stead format"),
                    io(empty.connectString(), 9, data.resolve("before")));
            String[] format = {
                "format", "--set", ZooKeeperTree.CONNECT.name() + "=127.0.0.1:" + empty.port(), "--set", secret()
            };
            assertThat(Main.commandLine()
                            .setOut(new PrintWriter(new StringWriter()))
                            .execute(format))
                    .isZero();
            refused("format a second time", FAILED, List.of("already holds file system"), format);
        }
        refused(
                "format below servers that run",
                FAILED,
                List.of("io-1", "mds-1"),
                "format",
                "--force",
                "--set",
                ZooKeeperTree.CONNECT.name() + "=" + cluster.local().zooKeeper(),
                "--set",
                secret());
    }

    @Test
    void secrets() throws IOException {
        Path unused = data.resolve("secretless");
        Path open = write("open.secret", Files.readString(first.resolve("cluster.secret")));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        Path shortened = data.resolve("short.secret");
        Files.writeString(shortened, "ab".repeat(31) + "\n");
        Files.setPosixFilePermissions(shortened, PosixFilePermissions.fromString("rw-------"));
        String key = "stead.cluster.secret.file";
        refused(
                "cluster secret that is not there",
                FAILED,
                List.of(key, data.resolve("absent.secret").toString(), "stead format"),
                io(9, unused, "--set", key + "=" + data.resolve("absent.secret")));
        refused(
                "cluster secret that others may read",
                FAILED,
                List.of(open.toString(), "rw-r--r--", "chmod 600"),
                io(9, unused, "--set", key + "=" + open));
        refused(
                "cluster secret of 31 bytes",
                FAILED,
                List.of(shortened.toString(), "64 hexadecimal digits"),
                io(9, unused, "--set", key + "=" + shortened));
        refused(
                "cluster secret of another cluster",
                FAILED,
                List.of(key, "another one protects them"),
                io(9, unused, "--set", key + "=" + TestSecret.in(Files.createDirectories(data.resolve("other")))));
    }

    @Test
    void usage() throws IOException {
        refused(
                "3 metadata servers for 2 shards",
                WRONG_USAGE,
                List.of("--mds 3 is not in 1..2"),
                "local",
                "--mds",
                "3",
                "--shards",
                "2");
        refused("0 IO servers", WRONG_USAGE, List.of("--io 0"), "local", "--io", "0");
        refused("port 70,000", WRONG_USAGE, List.of("70000"), "local", "--port", "70000");
        refused("unknown option", WRONG_USAGE, List.of("--bogus"), "local", "--bogus");
        refused("unknown command", WRONG_USAGE, List.of("bogus"), "bogus");
        refused("IO server without an id", WRONG_USAGE, List.of("--id"), "ioserver", "--dir", "x");
        refused("server id 0", WRONG_USAGE, List.of("--id 0"), io(0, data.resolve("zero")));
        refused("server id 40,000", WRONG_USAGE, List.of("--id 40000"), io(40_000, data.resolve("large")));
    }
}
