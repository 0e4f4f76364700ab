package io.steadfs.it.format;

import io.steadfs.client.SteadFs;
import io.steadfs.it.Cluster;
import io.steadfs.path.FsPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The directory of a local cluster of one disk format, made by the last release of that format, and never written again:
 *
 * <pre>
 *  formats/N/cluster.zip    the directory of the stopped cluster, ZooKeeper's part in it
 *  formats/N/list.txt       what is in it: {@link Listed}
 *  formats/N/open.txt       paths of the files that are open in it, a line each
 * </pre>
 */
record Fixture(long format, Path directory) {
    static final Path ALL = Path.of("src", "test", "resources", "formats");

    /** The owner of what a fixture has, whoever makes it. */
    static final String OWNER = "fixture";

    static final int IO_SERVERS = 2;
    private static final int SHARDS = 2;

    static Fixture of(long format) {
        return new Fixture(format, ALL.resolve(Long.toString(format)));
    }

    /** All that are kept. */
    static List<Fixture> all() throws IOException {
        try (Stream<Path> kept = Files.list(ALL)) {
            return kept.map(each -> of(Long.parseLong(each.getFileName().toString())))
                    .sorted((one, other) -> Long.compare(one.format(), other.format()))
                    .toList();
        }
    }

    /** A cluster as every fixture is of. A directory splits when it has a few more names than most of a fixture's. */
    static Cluster cluster(Path directory, String superuser) throws IOException {
        return Cluster.start(
                directory,
                1,
                SHARDS,
                IO_SERVERS,
                Map.of(
                        "stead.superuser", superuser,
                        "stead.partition.split.entries", "40",
                        "stead.partition.give.names", "12"));
    }

    void write(Path stopped, List<String> list, Set<String> open) throws IOException {
        Files.createDirectories(directory);
        Files.write(list(), list);
        Files.write(openList(), new TreeSet<>(open));
        Archive.pack(stopped, archive());
    }

    Path archive() {
        return directory.resolve("cluster.zip");
    }

    private Path list() {
        return directory.resolve("list.txt");
    }

    private Path openList() {
        return directory.resolve("open.txt");
    }

    List<String> wanted() throws IOException {
        return Files.readAllLines(list());
    }

    Set<String> open() throws IOException {
        return Set.copyOf(Files.readAllLines(openList()));
    }

    /** Whether all files that were open are closed now; asks for it. */
    boolean isRecovered(SteadFs fs) throws IOException {
        boolean all = true;
        for (String path : open()) {
            all &= fs.recoverLease(FsPath.parse(path));
        }
        return all;
    }

    @Override
    public String toString() {
        return "format " + format;
    }
}
