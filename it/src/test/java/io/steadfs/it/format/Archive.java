package io.steadfs.it.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** A directory of a stopped cluster as one file. RocksDB's logs for people are left out. */
final class Archive {
    private static final String LOG_FOR_PEOPLE = "LOG(\\.old.*)?";

    private Archive() {}

    static void pack(Path directory, Path archive) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.filter(each -> Files.isRegularFile(each)
                            && !each.getFileName().toString().matches(LOG_FOR_PEOPLE))
                    .sorted()
                    .toList();
        }
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive))) {
            out.setLevel(Deflater.BEST_COMPRESSION);
            for (Path each : files) {
                ZipEntry entry = new ZipEntry(directory.relativize(each).toString());
                entry.setLastModifiedTime(FileTime.fromMillis(0));
                out.putNextEntry(entry);
                Files.copy(each, out);
            }
        }
    }

    /** Every file belongs to its owner alone, as a secret must. */
    static void unpack(Path archive, Path directory) throws IOException {
        try (InputStream file = Files.newInputStream(archive);
                ZipInputStream in = new ZipInputStream(file)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Path to = directory.resolve(entry.getName()).normalize();
                if (!to.startsWith(directory)) {
                    throw new IOException(archive + " has an entry outside: " + entry.getName());
                }
                Files.createDirectories(to.getParent());
                Files.copy(in, to);
                Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rw-------"));
            }
        }
    }
}
