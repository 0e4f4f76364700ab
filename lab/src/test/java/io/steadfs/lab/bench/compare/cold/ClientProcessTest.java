package io.steadfs.lab.bench.compare.cold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.lab.bench.compare.system.ClientOpening;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** New client processes on the local file system. */
class ClientProcessTest {
    private static final ClientOpening LOCAL =
            new ClientOpening(URI.create("file:///"), Map.of("io.file.buffer.size", "4096"), Optional.empty());

    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @EnumSource
    void newClientDoesAllOperationsAndTellsHowLongTheFirstOnesTook(ColdWork work) throws Exception {
        ColdTask task = new ColdTask(folder.resolve("ground").toString(), work, 7, 0);
        try (FileSystem fileSystem = LOCAL.open()) {
            work.prepare(fileSystem, task);
        }

        FirstOperations first = new ClientProcess(folder.resolve("log")).run(LOCAL, task);

        assertThat(first.openNanos()).isPositive();
        assertThat(first.first100Nanos()).isPositive();
        assertThat(first.first1000Nanos()).isGreaterThan(first.first100Nanos());
        assertThat(files(work == ColdWork.RENAME ? "-renamed" : ""))
                .as("7 threads do 143 operations each, each with a file of its own")
                .isEqualTo(1001);
    }

    @Test
    void everySecondClientGivesFilesTheirNamesBack() throws Exception {
        String ground = folder.resolve("ground").toString();
        try (FileSystem fileSystem = LOCAL.open()) {
            ColdClient.rehearse(fileSystem, new ColdTask(ground, ColdWork.RENAME, 2, 0));
            assertThat(files("-renamed")).isEqualTo(1000);
            ColdClient.rehearse(fileSystem, new ColdTask(ground, ColdWork.RENAME, 2, 1));
            assertThat(files("-renamed")).isZero();
        }
    }

    @Test
    void failureIsToldWithWhatTheClientSaid() {
        ColdTask task = new ColdTask(folder.resolve("nowhere").toString(), ColdWork.STAT, 1, 0);
        assertThatThrownBy(() -> new ClientProcess(folder.resolve("log")).run(LOCAL, task))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a client that had to do ColdTask[ground=")
                .hasMessageContaining("stat-1/part-0");
    }

    @Test
    void theJarOfAClientComesFirstOnItsClassPath() throws Exception {
        Path jar = folder.resolve("client.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("core-site.xml"));
            out.write("""
                    <configuration>
                      <property><name>fs.file.impl</name><value>no.such.FileSystem</value></property>
                    </configuration>
                    """.getBytes(StandardCharsets.UTF_8));
        }
        ClientOpening opening = new ClientOpening(LOCAL.uri(), LOCAL.values(), Optional.of(jar));
        ColdTask task = new ColdTask(folder.resolve("ground").toString(), ColdWork.STAT, 1, 0);

        assertThatThrownBy(() -> new ClientProcess(folder.resolve("log")).run(opening, task))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no.such.FileSystem");
    }

    /** Number of files of the works whose names end so; the local file system has a checksum file beside each. */
    private long files(String ending) throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("ground"))) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith("part-") && name.endsWith(ending))
                    .count();
        }
    }
}
