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
 * Permissions that let only the server's own user read and write its files: mode 0700 for directories, mode 0600 for
 * files. An operating system without such modes gives files its default permissions.
 */
public final class OwnerOnly {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerOnly.class);
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final boolean KNOWN =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private OwnerOnly() {}

    /** The permissions for a new directory. */
    public static FileAttribute<?>[] directory() {
        return attribute(DIRECTORY);
    }

    /** The permissions for a new file. */
    public static FileAttribute<?>[] file() {
        return attribute(FILE);
    }

    private static FileAttribute<?>[] attribute(Set<PosixFilePermission> permissions) {
        return KNOWN
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /**
     * Takes all permissions on an existing directory away from other users. If this process may not change the
     * permissions, it logs a warning.
     */
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
