package io.steadfs.membership;

import io.steadfs.disk.DurableDirectories;
import io.steadfs.disk.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The data directory of one server. At most one process holds the directory at a time.
 *
 * <pre>
 * lock                  empty; locked while a server uses the directory
 * identity.json         {@link StoreIdentity}
 * sequence-8000.json    {@link SequenceRecord} of owner 0x8000; one file for each owner
 * ...                   files of the server itself
 * </pre>
 */
public final class DataDirectory implements AutoCloseable {
    private static final String LOCK = "lock";
    private static final String IDENTITY = "identity.json";

    /**
     * Directories that this process has locked. If this process opened a lock file twice, closing the second file would
     * release the lock. This set prevents that.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel lockFile;

    private DataDirectory(Path path, FileChannel lockFile) {
        this.path = path;
        this.lockFile = lockFile;
    }

    /**
     * Locks the directory. A missing directory is made. When the method returns, the directory's name is durable. Only
     * the user of this process may read the directory.
     *
     * @throws MembershipException if another server uses the directory, or if the directory cannot be used; the message
     *     names the directory
     */
    public static DataDirectory open(Path directory) throws MembershipException {
        try {
            DurableDirectories.make(directory);
            Path path = directory.toRealPath();
            if (!HELD.add(path)) {
                throw inUse(path);
            }
            try {
                DataDirectory locked = new DataDirectory(path, lock(path));
                OwnerOnly.close(path);
                return locked;
            } catch (IOException e) {
                HELD.remove(path);
                throw e;
            }
        } catch (MembershipException e) {
            throw e;
        } catch (FileAlreadyExistsException e) {
            throw new MembershipException("data directory " + directory + " is not a directory", e);
        } catch (IOException e) {
            throw new MembershipException("data directory " + directory + " cannot be used: " + e, e);
        }
    }

    /** Locks the directory's lock file. The lock ends when the file is closed or the process ends. */
    private static FileChannel lock(Path path) throws IOException {
        FileChannel file = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = file.tryLock();
            if (lock == null) {
                throw inUse(path);
            }
            return file;
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    private static MembershipException inUse(Path path) {
        return new MembershipException("data directory " + path + " is in use by another server");
    }

    public Path path() {
        return path;
    }

    /** The identity in the directory; empty if no server has used the directory yet. */
    public Optional<StoreIdentity> identity() throws MembershipException {
        Optional<byte[]> text = read(IDENTITY);
        return text.isEmpty()
                ? Optional.empty()
                : Optional.of(Json.decode(
                        text.get(), StoreIdentity.class, path.resolve(IDENTITY).toString()));
    }

    void setIdentity(StoreIdentity identity) throws MembershipException {
        write(IDENTITY, Json.encode(identity));
    }

    void removeIdentity() throws MembershipException {
        remove(IDENTITY);
    }

    private void remove(String name) throws MembershipException {
        try {
            Files.deleteIfExists(path.resolve(name));
            DurableDirectories.sync(path);
        } catch (IOException e) {
            throw new MembershipException("cannot remove " + path.resolve(name) + ": " + e, e);
        }
    }

    /** The owner's record in this directory. {@code NOTHING} if the owner has no record. */
    SequenceRecord sequence(int owner) throws MembershipException {
        String name = sequenceName(owner);
        Optional<byte[]> text = read(name);
        return text.isEmpty()
                ? SequenceRecord.NOTHING
                : Json.decode(
                        text.get(), SequenceRecord.class, path.resolve(name).toString());
    }

    void setSequence(int owner, SequenceRecord record) throws MembershipException {
        write(sequenceName(owner), Json.encode(record));
    }

    /** Removes the owner's record, because another server gives out the owner's handles. */
    void removeSequence(int owner) throws MembershipException {
        remove(sequenceName(owner));
    }

    private static String sequenceName(int owner) {
        return String.format("sequence-%04x.json", owner);
    }

    private Optional<byte[]> read(String name) throws MembershipException {
        try {
            return Optional.of(Files.readAllBytes(path.resolve(name)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new MembershipException("cannot read " + path.resolve(name) + ": " + e, e);
        }
    }

    /**
     * Replaces a file. After a crash, the file has either the whole old text or the whole new text. When the method
     * returns, the new text is durable.
     */
    private void write(String name, byte[] text) throws MembershipException {
        Path target = path.resolve(name);
        Path fresh = path.resolve(name + ".new");
        try {
            try (FileChannel file = FileChannel.open(
                    fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer rest = ByteBuffer.wrap(text);
                while (rest.hasRemaining()) {
                    file.write(rest);
                }
                file.force(true);
            }
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            DurableDirectories.sync(path);
        } catch (IOException e) {
            throw new MembershipException("cannot write " + target + ": " + e, e);
        }
    }

    /** Releases the lock of the directory. */
    @Override
    public void close() throws IOException {
        if (lockFile.isOpen()) {
            lockFile.close();
            HELD.remove(path);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
