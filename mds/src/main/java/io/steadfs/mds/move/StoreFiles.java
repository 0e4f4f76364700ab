package io.steadfs.mds.move;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The files of a RocksDB store that another server needs to open the store. The lock and RocksDB's messages for its
 * developers are no such files.
 */
public final class StoreFiles {
    /** The file that names the newest manifest. A directory without it is no store. */
    static final String CURRENT = "CURRENT";

    /** No name of this form leads out of the directory. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

    private static final Pattern UNNEEDED = Pattern.compile("LOCK|LOG|LOG\\.old\\..*");

    private static final String TABLE = ".sst";

    /** No disk has room for a larger file. */
    private static final long MOST_LENGTH = 1L << 50;

    private StoreFiles() {}

    /**
     * A file of a store.
     *
     * @param length in bytes
     * @param modifiedNanos when the file was changed last, in nanoseconds since 1970
     */
    public record Listed(String name, long length, long modifiedNanos) {
        /** @throws IllegalArgumentException if the file cannot be one of a store; the message names the value */
        public Listed {
            checkName(name);
            if (length < 0 || length > MOST_LENGTH) {
                throw new IllegalArgumentException("file " + name + " of " + Long.toUnsignedString(length) + " bytes");
            }
        }

        /**
         * Whether the file never changes. RocksDB writes a table file once, and never uses its number again. So two table
         * files with the same values are the same.
         */
        boolean isImmutable() {
            return name.endsWith(TABLE);
        }
    }

    /** @throws IllegalArgumentException if no file of a store has the name; the message names it */
    static void checkName(String name) {
        if (!NAME.matcher(name).matches() || UNNEEDED.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name + "' is no name of a file of a store");
        }
    }

    /**
     * Lists the files of a store.
     *
     * @throws IOException if there is no whole store in the directory; the message names the directory
     */
    public static List<Listed> list(Path store) throws IOException {
        List<Listed> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(store)) {
            for (Path each : all) {
                String name = each.getFileName().toString();
                BasicFileAttributes attributes =
                        Files.readAttributes(each, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (attributes.isRegularFile() && !UNNEEDED.matcher(name).matches()) {
                    files.add(new Listed(
                            name,
                            attributes.size(),
                            attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS)));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        } catch (NoSuchFileException e) {
            throw new IOException("there is no store in " + store, e);
        } catch (IllegalArgumentException e) {
            throw new IOException(store + " has a file of another kind: " + e.getMessage(), e);
        }
        if (files.stream().noneMatch(file -> file.name().equals(CURRENT))) {
            throw new IOException("there is no whole store in " + store + ": it has no file " + CURRENT);
        }
        files.sort(Comparator.comparing(Listed::name));
        return files;
    }

    /**
     * Reads a part of a file.
     *
     * @param offset from 0
     * @param most most bytes to read
     * @return fewer bytes at the end of the file; none behind it
     * @throws IllegalArgumentException if no file of a store has the name
     * @throws IOException naming the file, if it cannot be read
     */
    public static ByteBuffer read(Path store, String name, long offset, int most) throws IOException {
        checkName(name);
        Path file = store.resolve(name);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            long left = Math.max(0, channel.size() - offset);
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(most, left));
            while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) >= 0) {
                // A read may return less than asked for.
            }
            return bytes.flip();
        }
    }
}
