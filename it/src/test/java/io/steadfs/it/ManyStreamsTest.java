package io.steadfs.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.client.CreateOptions;
import io.steadfs.client.FileWriter;
import io.steadfs.client.SteadFs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client with little memory and very many open files. */
class ManyStreamsTest {
    private static final int FILES = 10;
    private static final long SECONDS = 240;

    @Test
    void aThousandReadersAndTwoHundredWritersHaveEnoughOfLittleMemory(@TempDir Path data) throws Exception {
        try (Cluster cluster = Cluster.start(data.resolve("cluster"), 3, Map.of())) {
            try (SteadFs fs = cluster.connect(Cluster.SUPERUSER, List.of())) {
                for (int i = 0; i < FILES; i++) {
                    try (FileWriter writer = fs.create(ManyStreams.file(i), CreateOptions.DEFAULT)) {
                        writer.write(ManyStreams.content(i), 0, ManyStreams.LENGTH);
                    }
                }
            }
            Path out = data.resolve("out");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-XX:MaxDirectMemorySize=128m",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            ManyStreams.class.getName(),
                            cluster.local().address().toString(),
                            String.valueOf(FILES),
                            "1000",
                            "200")
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            try {
                assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS))
                        .as("it ends: %s", Files.readString(out))
                        .isTrue();
            } finally {
                process.destroyForcibly();
            }
            String said = Files.readString(out);
            System.out.println(said);
            assertThat(said.lines().toList()).as(said).contains("DONE");
            Map<String, Long> counters = counters(said);
            assertThat(counters)
                    .containsEntry("client.memory.limit.bytes at the end", 64L << 20)
                    .containsEntry("client.memory.used.bytes at the end", 0L);
            assertThat(counters.get("client.memory.most.bytes at the end")).isBetween(1L << 20, 64L << 20);
            assertThat(counters.get("client.memory.waits at the end")).isPositive();
        }
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
