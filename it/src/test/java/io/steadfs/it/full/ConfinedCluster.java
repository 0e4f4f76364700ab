package io.steadfs.it.full;

import io.steadfs.admin.StatusOf;
import io.steadfs.cli.Main;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.process.Listening;
import io.steadfs.cli.process.RunningServer;
import io.steadfs.config.Settings;
import io.steadfs.it.JavaProgram;
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
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** One metadata server and one IO server, of which one is a process on a {@link SmallDisk}, the other in this process. */
final class ConfinedCluster implements AutoCloseable {
    private static final long COMMAND_SECONDS = 120;

    private final OpenedParts opened = new OpenedParts();
    private final Path directory;
    private final Map<String, String> values;
    private final SmallDisk disk;
    private final Process process;
    private final ServerAddress confinedAddress;
    private final ServerAddress mds;

    /** @param settings of the confined server */
    ConfinedCluster(Path directory, ServerId confined, long diskBytes, Map<String, String> settings)
            throws IOException {
        this.directory = directory;
        try {
            EmbeddedZooKeeper zooKeeper = opened.keep(EmbeddedZooKeeper.start(directory.resolve("zookeeper"), 0));
            values = new HashMap<>(Map.of(
                    ZooKeeperTree.CONNECT.name(),
                    zooKeeper.connectString(),
                    SecretFile.FILE.name(),
                    TestSecret.in(directory)));
            Settings plain = Settings.of(values);
            try (ZooKeeperTree tree = ZooKeeperTree.connect(plain)) {
                FileSystemFormat.fresh(plain, System.getProperty("user.name"), 1)
                        .write(tree, false);
            }
            values.putAll(settings);
            ServerId other = confined.role() == ClusterMap.Role.MDS ? ServerId.io(1) : ServerId.mds(1);
            // The metadata server first, or the IO server would find no shard to ask.
            boolean confinedFirst = confined.role() == ClusterMap.Role.MDS;
            Optional<ServerAddress> otherAddress =
                    confinedFirst ? Optional.empty() : Optional.of(startHere(other, plain));
            Path mountPoint = Files.createDirectories(directory.resolve("small-disk"));
            process = startConfined(confined, mountPoint, diskBytes);
            opened.keep(() -> process.destroyForcibly().waitFor());
            disk = SmallDisk.of(process, mountPoint);
            confinedAddress = ready(process);
            mds = otherAddress.orElse(confinedAddress);
            if (confinedFirst) {
                startHere(other, plain);
            }
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private ServerAddress startHere(ServerId id, Settings settings) throws IOException {
        EventLoops loops = opened.keep(EventLoops.open("here", settings));
        return opened.keep(RunningServer.start(
                        id, directory.resolve(id.toString()), Listening.loopback(0), Allowed.NOTHING, loops, settings))
                .address();
    }

    private static List<String> java(String... arguments) {
        return JavaProgram.command(List.of("-Xmx256m"), Main.class, List.of(arguments));
    }

    private Process startConfined(ServerId id, Path mountPoint, long diskBytes) throws IOException {
        List<String> command = java(
                id.role() == ClusterMap.Role.MDS ? "mds" : "ioserver",
                "--id",
                String.valueOf(id.number()),
                "--dir",
                mountPoint.resolve("data").toString(),
                "--set",
                "stead.port=0",
                "--set",
                "stead.metrics.port=0");
        values.forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
        return new ProcessBuilder(SmallDisk.confined(mountPoint, diskBytes, command))
                .redirectError(log())
                .start();
    }

    private File log() {
        return directory.resolve("confined.log").toFile();
    }

    private ServerAddress ready(Process server) throws IOException {
        BufferedReader out = server.inputReader();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("READY ")) {
                return ServerAddress.parse(line.substring(line.lastIndexOf(' ') + 1));
            }
        }
        throw new IOException("the server ended: " + Files.readString(log().toPath(), StandardCharsets.UTF_8));
    }

    SmallDisk disk() {
        return disk;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** A client of its own, through Hadoop's interface. */
    FileSystem connect() throws IOException {
        Configuration configuration = new Configuration();
        configuration.set("fs.stead.create.width", "1");
        configuration.set("fs.stead.client.operation.timeout", "8000");
        configuration.set("fs.stead.client.attempt.timeout", "4000");
        return FileSystem.newInstance(URI.create("stead://" + mds), configuration);
    }

    /** What the confined server says of itself. */
    StatusReply status() throws IOException {
        try (Connections connections = Connections.ofProcess();
                Connection connection = connections.open(new SteadUri(mds))) {
            return StatusOf.server(connection.transport(), "the confined server", confinedAddress);
        }
    }

    /** Exit code and output of {@code stead fs} with these arguments, run as {@code bin/stead} runs it. */
    Map.Entry<Integer, String> shell(String... arguments) throws IOException, InterruptedException {
        List<String> command = java("fs", "--uri", "stead://" + mds, "-D", "fs.stead.create.width=1");
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(directory, "shell", ".out");
        Process shell = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!shell.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(command + " goes on after " + COMMAND_SECONDS + " s");
            }
        } finally {
            shell.destroyForcibly();
        }
        return Map.entry(shell.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        opened.close();
    }
}
