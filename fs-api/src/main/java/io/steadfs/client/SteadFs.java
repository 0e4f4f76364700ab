package io.steadfs.client;

import com.google.protobuf.ByteString;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.ContentSummary;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Does what one caller (user and groups) asks of the file system, and returns when it is done. Thread-safe.
 *
 * <p>Every change is one atomic request. The change is durable when the method returns. The client repeats the request under one id until its
 * outcome is known or the configured time is over. If the time is over, {@link FsException} with {@code TIMED_OUT} says that the outcome is
 * not known.
 *
 * <p>Every method whose path does not exist, or may not be reached, fails as {@link #stat} does.
 */
public interface SteadFs extends AutoCloseable {
    /**
     * The attributes of a file or directory, with the file's layout.
     *
     * @throws FsException NOT_FOUND, NOT_A_DIRECTORY (a component on the way is a file), PERMISSION_DENIED
     */
    FileInfo stat(FsPath path) throws FsException;

    /**
     * As {@link #stat}, for a caller that asks whether it has permission.
     *
     * @param bits permissions to check: read 4, write 2, execute 1; PERMISSION_DENIED where the caller lacks one
     */
    FileInfo access(FsPath path, int bits) throws FsException;

    /** As {@link #stat}, for a path that may not exist. Empty where the path or a parent is missing, or a parent is a file. */
    default Optional<FileInfo> find(FsPath path) throws FsException {
        try {
            return Optional.of(stat(path));
        } catch (FsException e) {
            if (e.error() == FsError.NOT_FOUND || e.error() == FsError.NOT_A_DIRECTORY) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Makes a file, which others see at once, and opens it for writing.
     *
     * @throws FsException ALREADY_EXISTS unless the options let the file be replaced, IS_A_DIRECTORY
     */
    FileWriter create(FsPath path, CreateOptions options) throws FsException;

    /**
     * Opens a closed file for writing from its end on.
     *
     * @throws FsException FILE_OPEN where another writer has the file, or has lost it and it is being recovered: see {@link #recoverLease};
     *     NOT_FOUND, IS_A_DIRECTORY, PERMISSION_DENIED; CORRUPT where bytes that the file should have are missing
     */
    FileWriter append(FsPath path) throws FsException;

    /**
     * Shortens a closed file. Returns when nothing beyond the length is left. If it fails with TIMED_OUT, the message says whether the new
     * length counts already.
     *
     * @throws FsException INVALID_ARGUMENT for a length above the file's, and as {@link #append}
     */
    FileInfo truncate(FsPath path, long length) throws FsException;

    /**
     * Takes an open file from its writer, whose next request fails, and has the file closed with the bytes that readers can see. Closing
     * takes a moment: call this method, or {@link #isFileClosed}, until it returns true. The caller must be allowed to write the file.
     *
     * @return whether the file is closed now
     * @throws FsException IS_A_DIRECTORY
     */
    boolean recoverLease(FsPath path) throws FsException;

    /**
     * Whether nobody writes the file and nothing of it awaits recovery. The length of a closed file is final.
     *
     * @throws FsException IS_A_DIRECTORY
     */
    boolean isFileClosed(FsPath path) throws FsException;

    /**
     * Opens a file for reading.
     *
     * @throws FsException NOT_FOUND, IS_A_DIRECTORY, PERMISSION_DENIED
     */
    FileReader open(FsPath path) throws FsException;

    /**
     * As {@link #open(FsPath)}, for a caller that relies on a length it learned before. If the file is being written, no byte beyond that
     * length is read. So a caller that asks for the length again and goes on from there reads no byte twice.
     *
     * @param told the length in bytes
     */
    FileReader openToldLength(FsPath path, long told) throws FsException;

    /** Opens a file from an earlier answer that has its layout. No request is sent for a closed file. */
    FileReader open(FsPath path, FileInfo known) throws FsException;

    /**
     * Makes the directory and, where wanted, its parents.
     *
     * @param mode permission bits and the sticky bit
     * @param exclusive refuse an existing directory
     * @throws FsException ALREADY_EXISTS for a file, and for a directory if {@code exclusive}
     */
    FileInfo mkdirs(FsPath path, int mode, boolean createParents, boolean exclusive) throws FsException;

    /**
     * Entries of a directory in hash order, with attributes and layouts, fetched a page at a time. A file is listed as its own only entry,
     * under the empty name. The first page is fetched before the method returns. {@code next()} may throw
     * {@link java.io.UncheckedIOException}.
     */
    Iterator<Entry> list(FsPath path) throws FsException;

    /**
     * A part of a directory, for callers that show it page by page. For a file, the file alone under an empty name.
     *
     * @param cursor of the part before; empty = from the beginning
     * @param limit entries at most; a server may have a lower limit of its own
     */
    ListPage list(FsPath path, ByteString cursor, int limit) throws FsException;

    /** As {@link #open(FsPath)}, for a caller that may not read: no byte is fetched in advance. */
    default FileReader openUnread(FsPath path) throws FsException {
        return open(path);
    }

    /** All entries of a directory, sorted by name. A file is listed as its own only entry, under the empty name. */
    List<Entry> listSorted(FsPath path) throws FsException;

    /**
     * As {@link #listSorted(FsPath)}, of values that the caller's function makes of the entries. A value is made when its entry arrives, while
     * other entries are on their way.
     */
    default <T> List<T> listSorted(FsPath path, Function<Entry, T> made) throws FsException {
        return listSorted(path).stream().map(made).toList();
    }

    /**
     * Everything below a directory, walked by the servers, with layouts. Names are paths below the directory. A file is listed as its own
     * only entry, under the empty name.
     */
    Iterator<Entry> listTree(FsPath path, boolean wantDirectories) throws FsException;

    /**
     * Deletes a file or a directory. A directory goes with all that is in it.
     *
     * @throws FsException NOT_EMPTY for a directory that is not empty, without {@code recursive}; INVALID_ARGUMENT for the root
     */
    void delete(FsPath path, boolean recursive) throws FsException;

    /**
     * Gives a file or a directory another name.
     *
     * @return false where source and target are the same, so that nothing moved
     * @throws FsException ALREADY_EXISTS, IS_A_DIRECTORY, NOT_A_DIRECTORY, NOT_EMPTY where the target is in the way; INVALID_RENAME of the
     *     root, and of a directory to a place below itself
     */
    boolean rename(FsPath source, FsPath target, RenameMode mode) throws FsException;

    /**
     * Sets attributes of a file or a directory.
     *
     * @return the attributes afterwards
     * @throws FsException PERMISSION_DENIED; IS_A_DIRECTORY for a replication
     */
    FileInfo setAttributes(FsPath path, AttributeChange change) throws FsException;

    /**
     * Sets an extended attribute.
     *
     * @param name with its namespace, such as {@code user.color}
     * @param create the attribute may be new
     * @param replace the attribute may exist already
     * @throws FsException XATTR_EXISTS without {@code replace}, XATTR_NOT_FOUND without {@code create}, TOO_LARGE
     */
    void setXattr(FsPath path, String name, byte[] value, boolean create, boolean replace) throws FsException;

    /**
     * The values of extended attributes, by name.
     *
     * @param names empty = all that the caller may see
     * @throws FsException XATTR_NOT_FOUND for a name that the object does not have
     */
    Map<String, byte[]> getXattrs(FsPath path, List<String> names) throws FsException;

    /** @throws FsException XATTR_NOT_FOUND */
    void removeXattr(FsPath path, String name) throws FsException;

    /**
     * Sums up a tree: bytes, files, directories. For a file, the file alone.
     *
     * @throws FsException PERMISSION_DENIED where the caller may not list a directory of the tree
     */
    ContentSummary contentSummary(FsPath path) throws FsException;

    /**
     * The cluster map: servers, free space, defaults for new files. Sends a request at most every ten seconds, or when a
     * reply showed a newer epoch.
     */
    io.steadfs.wire.proto.ClusterMap clusterMap() throws FsException;

    /** The cluster map that the client uses. The servers are asked only where the client has none yet. */
    io.steadfs.wire.proto.ClusterMap knownClusterMap() throws FsException;

    /**
     * Ends the session. Files still open for writing are abandoned, and the servers recover them. Operations of other threads that are
     * under way fail, with CANCELLED or TIMED_OUT. Later operations fail too.
     */
    @Override
    void close();
}
