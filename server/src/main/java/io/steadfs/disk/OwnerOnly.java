package io.steadfs.disk;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server keeps is read and written by its own user alone: directories of mode 0700, files of mode 0600. Where the
 * operating system knows no such modes, what it gives.
 */
public final class OwnerOnly {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerOnly.class);
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final boolean KNOWN =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private OwnerOnly() {}

    /** For a directory that is made. */
    public static FileAttribute<?>[] directory() {
        return attribute(DIRECTORY);
    }

    /** For a file that is made. */
    public static FileAttribute<?>[] file() {
        return attribute(FILE);
    }

    private static FileAttribute<?>[] attribute(Set<PosixFilePermission> permissions) {
        return KNOWN
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /** Takes away what others may do with a directory that is there; warns where this process may not. */
    public static void close(Path directory) {
        if (!KNOWN) {
            return;
        }
        try {
            Set<PosixFilePermission> before = Files.getPosixFilePermissions(directory);
            if (!DIRECTORY.containsAll(before)) {
                Files.setPosixFilePermissions(directory, DIRECTORY);
                LOG.info(
                        "{}: mode {} is now {}, since only this user is to read it",
                        directory,
                        PosixFilePermissions.toString(before),
                        PosixFilePermissions.toString(DIRECTORY));
            }
        } catch (IOException e) {
            LOG.warn("{} stays open to others, for its mode cannot be changed: {}", directory, e.toString());
        }
    }
}
