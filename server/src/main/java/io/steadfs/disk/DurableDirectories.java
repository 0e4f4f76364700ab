package io.steadfs.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes directories whose names survive a loss of power.
 *
 * <p>A name is durable once the directory that holds it was synced after the name was made. It is not enough to sync the object behind the
 * name. So each missing level is made and its parent is synced before the next level is begun. If the process ends in between, only the
 * lowest level that it made can lack its sync. Therefore a process that finds a level already there syncs its parent, too.
 *
 * <p>A parent that this process may not write into is skipped: somebody else made the name. A parent that it may not read is skipped as
 * well, for it cannot be synced. A name that this process made there is removed again, unless the process ends just then.
 */
public final class DurableDirectories {
    private static final Logger LOG = LoggerFactory.getLogger(DurableDirectories.class);

    private DurableDirectories() {}

    /** The calls to the operating system. */
    interface Calls {
        void make(Path directory) throws IOException;

        /** @throws AccessDeniedException if the directory may not be read */
        void sync(Path directory) throws IOException;
    }

    private static final Calls SYSTEM = new Calls() {
        @Override
        public void make(Path directory) throws IOException {
            Files.createDirectory(directory, OwnerOnly.directory());
        }

        @Override
        public void sync(Path directory) throws IOException {
            DurableDirectories.sync(directory);
        }
    };

    /**
     * Makes the directory and its missing parents, for this user alone. Their names are durable on return.
     *
     * @throws FileAlreadyExistsException if one of them exists and is no directory
     * @throws AccessDeniedException if a missing one cannot be made there, or cannot be synced; then it is not left there
     * @throws IOException naming the directory that cannot be made or synced
     */
    public static void make(Path directory) throws IOException {
        make(directory, SYSTEM);
    }

    static void make(Path directory, Calls calls) throws IOException {
        if (Files.isDirectory(directory)) {
            syncName(directory.toRealPath(), calls);
            return;
        }
        Path above = directory.toAbsolutePath().getParent();
        if (above == null) {
            throw new NoSuchFileException(directory.toString());
        }
        make(above, calls);
        try {
            calls.make(directory);
        } catch (FileAlreadyExistsException e) {
            // Another process made it in between, and need not have synced it yet.
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
        syncMade(directory, above, calls);
    }

    private static void syncMade(Path made, Path above, Calls calls) throws IOException {
        try {
            calls.sync(above);
        } catch (AccessDeniedException e) {
            try {
                Files.delete(made);
            } catch (IOException stays) {
                e.addSuppressed(stays);
            }
            throw e;
        }
    }

    private static void syncName(Path found, Calls calls) throws IOException {
        Path above = found.getParent();
        if (above != null && Files.isWritable(above)) {
            try {
                calls.sync(above);
            } catch (AccessDeniedException e) {
                LOG.info("the name of {} is taken for durable: {}", found, e.getMessage());
            }
        }
    }

    /**
     * Makes all changes of the names in the directory durable: new, removed and renamed ones.
     *
     * @throws NoSpaceException if the disk is full
     * @throws AccessDeniedException if the directory may not be read
     * @throws IOException naming the directory
     */
    public static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (AccessDeniedException e) {
            AccessDeniedException denied = new AccessDeniedException(
                    directory.toString(), null, "this directory cannot be synced: it may not be read");
            denied.initCause(e);
            throw denied;
        } catch (IOException e) {
            throw DiskFailure.of(e, directory);
        }
    }
}
