package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.steadfs.cli.Main;
import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.cli.local.ProcessCluster;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.ioserver.duty.ConfirmDatafiles;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Checks that are killed and go on, and one whose servers are killed, find what an undisturbed one finds. */
@Timeout(300)
@EnabledOnOs(OS.LINUX)
class FsckResumeTest {
    private static final int EACH = 5;
    private static final int FILES = 1_500;
    private static final int SHARDS = 2;
    private static final int KILLS = 3;
    private static final long LOG_BYTES = 3_000;
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Path data;

    FsckResumeTest(@TempDir Path data) {
        this.data = data;
    }

    private ProcessCluster start() throws IOException {
        return ProcessCluster.in(data.resolve("cluster"))
                .mds(1)
                .shards(SHARDS)
                .ioServers(2)
                .set(ConfirmDatafiles.AFTER.name(), FsckDamage.NEVER_CONFIRMED)
                .start();
    }

    @Test
    void whoeverIsKilledTheFindingsAreTheSame() throws Exception {
        try (ProcessCluster cluster = start()) {
            fill(cluster);
        }
        try (FsckDamage damage = FsckDamage.open(data.resolve("cluster"), SHARDS, EACH)) {
            damage.plant();
        }
        try (ProcessCluster cluster = start()) {
            JsonNode undisturbed = result(fsck(cluster));
            assertThat(findings(undisturbed)).hasSize(EACH * FsckDamage.KINDS.size());

            Path work = data.resolve("work");
            for (int i = 0; i < KILLS; i++) {
                Process check = fsck(cluster, "--work", work.toString(), "--rate", "1000");
                awaitMoreWork(work, newestLog(work));
                check.destroyForcibly().waitFor();
            }
            JsonNode resumed = result(fsck(cluster, "--work", work.toString()));
            assertThat(findings(resumed)).containsExactlyElementsOf(findings(undisturbed));
            assertThat(resumed.get("rows").asLong())
                    .as("rows behind the last kill")
                    .isLessThan(undisturbed.get("rows").asLong());

            Path other = data.resolve("other");
            Process check = fsck(cluster, "--work", other.toString(), "--rate", "1000");
            awaitMoreWork(other, -1);
            for (String server : List.of("mds-1", "io-1")) {
                assertThat(check.isAlive()).as("the check is at work").isTrue();
                cluster.killServer(server);
                cluster.startServer(server);
            }
            assertThat(findings(result(check))).containsExactlyElementsOf(findings(undisturbed));
        }
    }

    private static void fill(ProcessCluster cluster) throws IOException {
        try (Connections connections = Connections.ofOperator();
                Connection connection =
                        connections.open(SteadUri.parse(cluster.uri().toString()))) {
            SteadFs fs = connection.fs();
            IntStream.range(0, FILES).parallel().forEach(i -> write(fs, "/sound-" + i % 16 + "/" + i));
            FsckDamage.makeDirectories(fs, EACH);
        }
    }

    private static void write(SteadFs fs, String name) {
        try (var out = fs.create(FsPath.parse(name), CreateOptions.DEFAULT.withLayout(2, 1 << 16))) {
            out.write(new byte[100], 0, 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process fsck(ProcessCluster cluster, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("fsck", "--uri", cluster.uri().toString(), "--page", "50", "--scrub", "--json"));
        arguments.addAll(List.of(more));
        return new ProcessBuilder(JavaProgram.command(List.of("-Xmx512m"), Main.class, arguments))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static JsonNode result(Process check) throws IOException, InterruptedException {
        try {
            JsonNode passes =
                    new ObjectMapper().readTree(check.getInputStream()).get("passes");
            assertThat(check.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(check.exitValue()).as("%s", passes).isEqualTo(3);
            assertThat(passes.get(0).get("complete").asBoolean())
                    .as("%s", passes)
                    .isTrue();
            return passes.get(0);
        } finally {
            check.destroyForcibly();
        }
    }

    private static Set<String> findings(JsonNode result) {
        Set<String> findings = new TreeSet<>();
        result.get("findings").forEach(each -> findings.add(each.toString()));
        return findings;
    }

    /** Until a process that began behind a certain log of the work's store has written so much. */
    private static void awaitMoreWork(Path work, long behindLog) {
        await().atMost(SOON)
                .until(() -> logs(work).entrySet().stream()
                        .anyMatch(log -> log.getKey() > behindLog && log.getValue() > LOG_BYTES));
    }

    private static long newestLog(Path work) {
        return logs(work).keySet().stream().mapToLong(Long::longValue).max().orElse(-1);
    }

    /** Bytes, by number. */
    private static Map<Long, Long> logs(Path work) {
        Path pass = work.resolve("pass-1");
        Map<Long, Long> logs = new TreeMap<>();
        if (Files.isDirectory(pass)) {
            try (Stream<Path> files = Files.list(pass)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".log")).toList()) {
                    String name = String.valueOf(file.getFileName());
                    logs.put(Long.parseLong(name.substring(0, name.length() - 4)), Files.size(file));
                }
            } catch (IOException | UncheckedIOException e) {
                // A log that goes while it is looked at.
                return Map.of();
            }
        }
        return logs;
    }
}
