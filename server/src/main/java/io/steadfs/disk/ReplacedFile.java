package io.steadfs.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** A small file that is replaced as a whole. A reader sees either the old bytes or the new ones, even after the machine lost power. */
public final class ReplacedFile {
    private ReplacedFile() {}

    /**
     * Replaces the file. The new bytes are durable on return, and readable by the file's owner alone.
     *
     * @param directory that exists
     * @throws IOException if it cannot be written: then the old file stays
     */
    public static void write(Path directory, String name, byte[] bytes) throws IOException {
        Path written = Files.createTempFile(
                directory,
                name,
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.write(written, bytes);
            try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(
                    written,
                    directory.resolve(name),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(written);
        }
        DurableDirectories.sync(directory);
    }
}
