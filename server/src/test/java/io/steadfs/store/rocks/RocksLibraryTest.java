package io.steadfs.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDB;

/** A process that is killed leaves no copy of RocksDB's library in the temporary directory. */
@EnabledOnOs(OS.LINUX)
class RocksLibraryTest {
    private static final long SECONDS = 60;
    private static final String LOADED = "LOADED";

    private final Path temporary;

    RocksLibraryTest(@TempDir Path temporary) {
        this.temporary = temporary;
    }

    /** A process that loads the library, and stays. */
    public static final class Loading {
        private Loading() {}

        public static void main(String[] arguments) throws IOException {
            RocksLibrary.load();
            System.out.println(LOADED + " " + RocksDB.rocksdbVersion());
            while (System.in.read() >= 0) {
                // Until it is killed.
            }
        }
    }

    private void loadAndKill() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Loading.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(process.inputReader().lines().anyMatch(line -> line.startsWith(LOADED)))
                    .isTrue();
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> all = Files.walk(temporary)) {
            return all.filter(Files::isRegularFile)
                    .filter(each -> !each.toString().contains("hsperfdata"))
                    .toList();
        }
    }

    @Test
    void aKilledProcessLeavesNoCopy() throws IOException, InterruptedException {
        loadAndKill();
        assertThat(left()).isEmpty();
    }

    @Test
    void copiesOfOthersStay() throws IOException, InterruptedException {
        Path other = Files.writeString(temporary.resolve("librocksdbjni1234.so"), "of another process");
        loadAndKill();
        assertThat(left()).containsExactly(other);
    }
}
