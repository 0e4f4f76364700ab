package io.steadfs.it.millions;

import io.steadfs.admin.StatusOf;
import io.steadfs.cli.Main;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.process.Listening;
import io.steadfs.cli.process.RunningServer;
import io.steadfs.client.SteadClient;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.membership.Allowed;
import io.steadfs.membership.EmbeddedZooKeeper;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.secret.SecretFile;
import io.steadfs.secret.TestSecret;
import io.steadfs.server.OpenedParts;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.StatusReply;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A metadata server in a process of its own with a small heap; ZooKeeper and one IO server in this process. */
final class SmallMds implements AutoCloseable {
    private static final long COMMAND_SECONDS = 300;
    private static final int TRIES = 30;

    private final OpenedParts opened = new OpenedParts();
    private final Process process;
    private final ServerAddress address;
    private final Connection connection;

    /** @param heap as Java's option, such as -Xmx512m */
    SmallMds(Path directory, String heap) throws IOException {
        try {
            EmbeddedZooKeeper zooKeeper = opened.keep(EmbeddedZooKeeper.start(directory.resolve("zookeeper"), 0));
            String secret = TestSecret.in(directory);
            Settings settings = Settings.of(
                    Map.of(ZooKeeperTree.CONNECT.name(), zooKeeper.connectString(), SecretFile.FILE.name(), secret));
            try (ZooKeeperTree tree = ZooKeeperTree.connect(settings)) {
                FileSystemFormat.fresh(settings, System.getProperty("user.name"), 1)
                        .write(tree, false);
            }
            File log = directory.resolve("mds.log").toFile();
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            heap,
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            Main.class.getName(),
                            "mds",
                            "--id",
                            "1",
                            "--dir",
                            directory.resolve("mds-1").toString(),
                            "--end-with-input",
                            "--set",
                            ZooKeeperTree.CONNECT.name() + "=" + zooKeeper.connectString(),
                            "--set",
                            SecretFile.FILE.name() + "=" + secret)
                    .redirectError(log)
                    .start();
            opened.keep(() -> process.destroyForcibly().waitFor());
            address = ready(log);
            EventLoops loops = opened.keep(EventLoops.open("io-1", settings));
            opened.keep(RunningServer.start(
                    ServerId.io(1),
                    directory.resolve("io-1"),
                    Listening.loopback(0),
                    Allowed.NOTHING,
                    loops,
                    settings));
            Connections connections = opened.keep(Connections.ofProcess());
            connection = opened.keep(patiently(() -> connections.open(new SteadUri(address))));
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private ServerAddress ready(File log) throws IOException {
        BufferedReader out = process.inputReader();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("READY ")) {
                return ServerAddress.parse(line.substring(line.lastIndexOf(' ') + 1));
            }
        }
        throw new IOException("the metadata server ended: " + Files.readString(log.toPath()));
    }

    /** A client with a session of its own. */
    SteadClient connect() {
        return SteadClient.connect(
                Settings.defaults(),
                List.of(address),
                Caller.newBuilder().setUser(System.getProperty("user.name")).build());
    }

    /** Waits for it; where the machine is busy with other work a try may take longer than a person would wait. */
    StatusReply status() throws IOException {
        return patiently(() -> StatusOf.server(connection.transport(), "mds-1", address));
    }

    /** What is asked for over a connection that may be slow. */
    @FunctionalInterface
    private interface Asked<T> {
        T ask() throws IOException;
    }

    private static <T> T patiently(Asked<T> asked) throws IOException {
        IOException last = new IOException("not asked");
        for (int i = 0; i < TRIES; i++) {
            try {
                return asked.ask();
            } catch (FsException e) {
                last = e;
            }
        }
        throw last;
    }

    /** Memory of the process that is in RAM, in bytes. */
    long residentBytes() throws IOException {
        for (String line : Files.readAllLines(proc("status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        throw new IOException("no VmRSS in " + proc("status"));
    }

    /** Files and sockets that the process has open. */
    long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(proc("fd"))) {
            return files.count();
        }
    }

    private Path proc(String name) {
        return Path.of("/proc", String.valueOf(process.pid()), name);
    }

    /** Makes the process collect its garbage, so that what is used afterwards is needed. */
    void collectGarbage() throws IOException, InterruptedException {
        Process command = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(process.pid()),
                        "GC.run")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!command.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || command.exitValue() != 0) {
            command.destroyForcibly();
            throw new IOException("jcmd " + process.pid() + " GC.run failed");
        }
    }

    @Override
    public void close() {
        opened.close();
    }
}
