package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.write.FileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client with little memory and very many open files. */
class ManyStreamsTest {
    private static final int FILES = 10;
    private static final long SECONDS = 240;

    private Cluster cluster;

    @BeforeEach
    void start(@TempDir Path data) throws IOException {
        cluster = Cluster.start(data, 3, Map.of());
        try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
            for (int i = 0; i < FILES; i++) {
                try (FileWriter writer = fs.create(ManyStreams.file(i), CreateOptions.DEFAULT)) {
                    writer.write(ManyStreams.content(i), 0, ManyStreams.LENGTH);
                }
            }
        }
    }

    @AfterEach
    void stop() throws IOException {
        cluster.close();
    }

    /** What the process said. */
    private String run(String directMemory, int readers, int writers, List<String> settings) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                cluster.local().address().toString(),
                String.valueOf(FILES),
                String.valueOf(readers),
                String.valueOf(writers)));
        arguments.addAll(settings);
        List<String> command = JavaProgram.command(
                List.of("-Xmx256m", "-XX:MaxDirectMemorySize=" + directMemory), ManyStreams.class, arguments);
        Path out = Files.createTempFile("many-streams", ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS))
                    .as("it ends: %s", Files.readString(out))
                    .isTrue();
            return Files.readString(out);
        } finally {
            process.destroyForcibly();
            Files.delete(out);
        }
    }

    @Test
    void aThousandReadersAndTwoHundredWritersHaveEnoughOfLittleMemory() throws Exception {
        String said = run("128m", 1_000, 200, List.of());
        System.out.println(said);
        assertThat(said.lines().toList()).as(said).contains("DONE");
        Map<String, Long> counters = counters(said);
        assertThat(counters)
                .containsEntry("client.memory.limit.bytes at the end", 64L << 20)
                .containsEntry("client.memory.used.bytes at the end", 0L);
        assertThat(counters.get("client.memory.most.bytes at the end")).isBetween(1L << 20, 64L << 20);
        assertThat(counters.get("client.memory.waits at the end")).isPositive();
    }

    /** As if somebody else in the process had taken the memory that the client counts on. */
    @Test
    void directMemoryThatIsUsedUpIsToldAsSuch() throws Exception {
        String said = run(
                "10m",
                // Each that finds no memory tries until its time is over.
                50,
                0,
                List.of(
                        "stead.client.memory=1g",
                        "stead.client.operation.timeout=4000",
                        "stead.client.attempt.timeout=2000"));
        assertThat(said.lines().toList()).doesNotContain("DONE");
        assertThat(said).contains("NO_MEMORY", "-XX:MaxDirectMemorySize").doesNotContain("CONNECTION_LOST");
    }

    private static Map<String, Long> counters(String said) {
        Map<String, Long> counters = new HashMap<>();
        said.lines().filter(line -> line.startsWith("client.memory.")).forEach(line -> {
            int equals = line.indexOf('=');
            counters.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1)));
        });
        return counters;
    }
}
