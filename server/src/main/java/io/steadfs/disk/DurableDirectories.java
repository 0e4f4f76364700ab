package io.steadfs.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Directories whose names outlive a loss of power.
 *
 * <p>A name is durable when the directory that holds it was synced after the name was made; to sync what the name stands
 * for is not enough. So each missing level is made and its parent synced before the next level is begun. Wherever a process
 * ends in that, only the lowest level that it made can lack its sync; whoever finds a level already there therefore syncs
 * its parent, too. A parent that this process may not write into is left out: somebody else made the name.
 */
public final class DurableDirectories {
    private DurableDirectories() {}

    /** What is asked of the operating system. */
    interface Calls {
        void make(Path directory) throws IOException;

        void sync(Path directory) throws IOException;
    }

    private static final Calls SYSTEM = new Calls() {
        @Override
        public void make(Path directory) throws IOException {
            Files.createDirectory(directory);
        }

        @Override
        public void sync(Path directory) throws IOException {
            DurableDirectories.sync(directory);
        }
    };

    /**
     * Makes the directory and those above it where they are not there. Their names are durable on return.
     *
     * @throws FileAlreadyExistsException if one of them is there and no directory
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
        calls.sync(above);
    }

    private static void syncName(Path found, Calls calls) throws IOException {
        Path above = found.getParent();
        if (above != null && Files.isWritable(above)) {
            calls.sync(above);
        }
    }

    /**
     * Makes the names in the directory durable as they are now: new ones, removed ones, renamed ones.
     *
     * @throws NoSpaceException if the disk is full
     * @throws IOException naming the directory
     */
    public static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (AccessDeniedException e) {
            throw new IOException("directory " + directory + " cannot be synced: it may not be read", e);
        } catch (IOException e) {
            throw DiskFailure.of(e, directory);
        }
    }
}
