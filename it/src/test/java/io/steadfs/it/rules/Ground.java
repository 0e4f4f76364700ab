package io.steadfs.it.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.steadfs.hadoop.SteadFileSystem;
import io.steadfs.layout.DirectoryHints;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** How the names of a directory are spread over shards, where a directory with more than 4 names gives half of them to another shard. */
enum Ground {
    FEW("with few names", 1) {
        @Override
        void spread(FileSystem fs, Path directory) throws IOException {
            makeNames(fs, directory);
            assertThat(partitions(fs, directory))
                    .as("partitions of %s", directory)
                    .isEqualTo(1);
        }
    },
    SPLIT("split by itself", 6) {
        @Override
        void spread(FileSystem fs, Path directory) throws IOException {
            makeNames(fs, directory);
            await("a split of " + directory)
                    .atMost(Duration.ofSeconds(20))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> partitions(fs, directory) > 1);
        }
    },
    PRESPLIT("split before it had names", 2) {
        @Override
        void spread(FileSystem fs, Path directory) throws IOException {
            fs.setXAttr(directory, DirectoryHints.EXPECTED_FILES, "16".getBytes(StandardCharsets.UTF_8));
            assertThat(partitions(fs, directory))
                    .as("partitions of %s", directory)
                    .isGreaterThan(1);
            makeNames(fs, directory);
        }
    };

    private static final String KEPT = "kept-";

    private final String words;
    private final int names;

    Ground(String words, int names) {
        this.words = words;
        this.names = names;
    }

    /** Makes an empty directory one of this kind. Afterwards it has {@link #names}. */
    abstract void spread(FileSystem fs, Path directory) throws IOException;

    /** Files that a directory of this kind has beside what a rule tells. */
    Set<String> names() {
        Set<String> all = new TreeSet<>();
        for (int i = 0; i < names; i++) {
            all.add(KEPT + i);
        }
        return all;
    }

    void makeNames(FileSystem fs, Path directory) throws IOException {
        for (String name : names()) {
            fs.create(new Path(directory, name), false).close();
        }
    }

    void removeNames(FileSystem fs, Path directory) throws IOException {
        for (String name : names()) {
            fs.delete(new Path(directory, name), false);
        }
    }

    /** Whether a name is one of these, and none that a rule tells. */
    static boolean isKept(String name) {
        return name.startsWith(KEPT);
    }

    static int partitions(FileSystem fs, Path directory) throws IOException {
        return ((SteadFileSystem) fs).partitions(directory).size();
    }

    @Override
    public String toString() {
        return words;
    }
}
