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
 * Directories whose names outlive a loss of power.
 *
 * <p>A name is durable when the directory that holds it was synced after the name was made; to sync what the name stands
 * for is not enough. So each missing level is made and its parent synced before the next level is begun. Wherever a process
 * ends in that, only the lowest level that it made can lack its sync; whoever finds a level already there therefore syncs
 * its parent, too. A parent that this process may not write into is left out: somebody else made the name. So is one that
 * it may not read, for it cannot be synced: a name that is made there and cannot be synced is taken back, unless the process
 * ends just then.
 */
public final class DurableDirectories {
    private static final Logger LOG = LoggerFactory.getLogger(DurableDirectories.class);

    private DurableDirectories() {}

    /** What is asked of the operating system. */
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
     * Makes the directory and those above it where they are not there, for this user alone. Their names are durable on
     * return.
     *
     * @throws FileAlreadyExistsException if one of them is there and no directory
     * @throws AccessDeniedException if one is missing where it cannot be made, or not be synced; none is made there then
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
            // Made by somebody else in between, who need not have synced it yet.
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
     * Makes the names in the directory durable as they are now: new ones, removed ones, renamed ones.
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
