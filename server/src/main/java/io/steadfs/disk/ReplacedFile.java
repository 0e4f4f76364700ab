package io.steadfs.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Replaces a small file as a whole. A reader sees either all old bytes or all new bytes, even after a loss of power.
 */
public final class ReplacedFile {
    private ReplacedFile() {}

    /**
     * Replaces the file. The new bytes are durable on return. Only the file's owner may read the new file.
     *
     * @param directory an existing directory
     * @throws IOException if the new file cannot be written; the old file then stays
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
