package io.steadfs.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.local.LocalCluster;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import io.steadfs.membership.ServerId;
import io.steadfs.path.FsPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code stead fs -df} of real servers that share one disk. */
class SpaceOfShellTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int FILE_BYTES = 3 << 20;

    @TempDir
    private Path directory = Path.of("");

    /** What the shell says of the whole file system, in bytes. */
    private record Space(long size, long used, long available) {
        static Space of(JsonNode result) {
            assertThat(result.get("exitCode").asInt()).as(result.toString()).isZero();
            assertThat(result.get("output").get(0).asText().trim().split(" +", -1))
                    .containsExactly("Filesystem", "Size", "Used", "Available", "Use%");
            String[] figures = result.get("output").get(1).asText().trim().split(" +", -1);
            return new Space(Long.parseLong(figures[1]), Long.parseLong(figures[2]), Long.parseLong(figures[3]));
        }
    }

    private static Space df(LocalCluster cluster) throws IOException {
        PrintStream real = System.out;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            new CommandLine(new FsCommand(Map.of()))
                    .execute("--json", "--uri", cluster.uri().toString(), "-df", "/");
        } finally {
            System.setOut(real);
        }
        return Space.of(new ObjectMapper().readTree(said.toString(StandardCharsets.UTF_8)));
    }

    /** Servers tell of their space now and then, and of their disk a moment after they have started. */
    private static Space awaitUsed(LocalCluster cluster, long disk, long bytes)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        Space space = df(cluster);
        while (space.size() != disk || space.used() != bytes) {
            assertThat(System.nanoTime() - end).as("last: " + space).isNegative();
            TimeUnit.MILLISECONDS.sleep(200);
            space = df(cluster);
        }
        return space;
    }

    @Test
    void oneDiskCountsOnceAndFilesByTheirBytes() throws IOException, InterruptedException {
        long disk = Files.getFileStore(directory).getTotalSpace();
        try (LocalCluster cluster = LocalCluster.in(directory.resolve("cluster"))
                .ioServers(2)
                .set("stead.io.space.interval", "100")
                .start()) {
            Space empty = awaitUsed(cluster, disk, 0);
            assertThat(empty.available()).isPositive().isLessThan(disk);
            write(cluster);
            awaitUsed(cluster, disk, FILE_BYTES);

            // What a server that went stored is still stored.
            cluster.stopServer(ServerId.io(2));
            awaitUsed(cluster, disk, FILE_BYTES);
        }
    }

    private static void write(LocalCluster cluster) throws IOException {
        try (Connections connections = Connections.ofProcess();
                Connection connection = connections.open(new SteadUri(cluster.address()));
                FileWriter writer = connection.fs().create(new FsPath(List.of("file")), CreateOptions.DEFAULT)) {
            writer.write(new byte[FILE_BYTES], 0, FILE_BYTES);
        }
    }
}
