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
 * <p>A new name becomes durable when the directory that holds the name is synced. A sync of the file or directory that
 * has the new name does not make the name durable. Therefore this class makes one missing level at a time, and syncs
 * the parent of that level before the next level is made. If the process ends early, only the lowest level that it made
 * may lack the sync of its parent. Therefore a process that finds an existing level syncs the parent of that level too.
 *
 * <p>If this process may not write into a parent, the parent is not synced, because another user made the name. If this
 * process may not read the parent of an existing directory, the parent is not synced either. If this process may not
 * read the parent of a directory that it made, it removes the directory again. If the process ends before the removal,
 * the directory stays.
 */
public final class DurableDirectories {
    private static final Logger LOG = LoggerFactory.getLogger(DurableDirectories.class);

    private DurableDirectories() {}

    /** The operating system's calls, which tests replace. */
    interface Calls {
        void make(Path directory) throws IOException;

        /** @throws AccessDeniedException if this process may not read the directory */
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
     * Makes the directory and its missing parents. Only this user may use the new directories. The names of all these
     * directories are durable on return.
     *
     * @throws FileAlreadyExistsException if the directory or one of its parents exists and is no directory
     * @throws AccessDeniedException if this process may not make a missing directory, or may not sync its parent. A
     *     directory whose parent cannot be synced is removed again
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
            // Another process made the directory in between. That process may not have synced the parent yet.
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
     * Makes all changes of names in the directory durable. A change is a new name, a removed name or a renamed one.
     *
     * @throws NoSpaceException if the disk is full
     * @throws AccessDeniedException if this process may not read the directory
     * @throws IOException naming the directory, if the sync fails
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
