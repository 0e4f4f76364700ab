package io.steadfs.store.rocks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RocksDB's native library. RocksDB unpacks a copy of 16 MiB into the temporary directory for each process, and deletes it
 * when the process ends. A process that is killed would leave it there. So the name of the copy is removed as soon as it is
 * loaded; the process keeps the file itself.
 */
final class RocksLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(RocksLibrary.class);

    /** What is mapped into this process, a line each, with the file's path at the end (Linux). */
    private static final Path MAPPED = Path.of("/proc/self/maps");

    private static final Pattern COPY = Pattern.compile("librocksdbjni\\d+\\.\\w+");

    private static boolean isLoaded;

    private RocksLibrary() {}

    /** Loads the library; once is enough for a process. */
    static synchronized void load() {
        if (isLoaded) {
            return;
        }
        RocksDB.loadLibrary();
        isLoaded = true;
        try {
            removeName(Path.of(System.getProperty("java.io.tmpdir")).toRealPath());
        } catch (IOException e) {
            LOG.info("RocksDB's library stays in the temporary directory while this process runs: {}", e.toString());
        }
    }

    private static void removeName(Path temporary) throws IOException {
        for (String line : Files.readAllLines(MAPPED, StandardCharsets.ISO_8859_1)) {
            Matcher copy = COPY.matcher(line.substring(line.lastIndexOf('/') + 1));
            if (copy.matches() && line.endsWith(temporary.resolve(copy.group()).toString())) {
                Files.deleteIfExists(temporary.resolve(copy.group()));
            }
        }
    }
}
