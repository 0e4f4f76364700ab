package io.steadfs.client;

import com.google.protobuf.ByteString;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.ContentSummary;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The file system as a blocking API, for one caller (user and groups). Thread-safe. Every change is one atomic request. It is durable when
 * the method returns. The client repeats it under one request id until its outcome is known or the configured time is over. If the time is
 * over, {@link FsException} with {@code TIMED_OUT} says that the outcome is not known.
 */
public interface SteadFs extends AutoCloseable {
    /** @throws FsException NOT_FOUND, NOT_A_DIRECTORY (a component on the way is a file), PERMISSION_DENIED */
    FileInfo stat(FsPath path) throws FsException;

    /**
     * {@link #stat} for who asks whether he may.
     *
     * @param bits of what is to be done: read 4, write 2, execute 1; PERMISSION_DENIED where the caller may not
     */
    FileInfo access(FsPath path, int bits) throws FsException;

    /** {@link #stat} for what may not be there; empty where the path, or a parent, is missing or a parent is a file. */
    Optional<FileInfo> find(FsPath path) throws FsException;

    /** Makes the file, visible at once, and opens it for writing. */
    FileWriter create(FsPath path, CreateOptions options) throws FsException;

    /**
     * Opens a closed file for writing from its end on.
     *
     * @throws FsException FILE_OPEN where another writer has it, or lost it and it is being recovered: see {@link
     *     #recoverLease}; NOT_FOUND, IS_A_DIRECTORY, PERMISSION_DENIED; CORRUPT where bytes that it should have are missing
     */
    FileWriter append(FsPath path) throws FsException;

    /**
     * Shortens a closed file; returns when nothing beyond the length is left. If it fails with TIMED_OUT, the message says
     * whether the new length counts already.
     *
     * @throws FsException INVALID_ARGUMENT for a length above the file's, and as {@link #append}
     */
    FileInfo truncate(FsPath path, long length) throws FsException;

    /**
     * Takes a file that is open from its writer, whose next request fails, and has it closed with the bytes that readers
     * can see. That takes a moment: ask again, or {@link #isFileClosed}, until it is true. The caller must be allowed to
     * write the file.
     *
     * @return whether the file is closed now
     */
    boolean recoverLease(FsPath path) throws FsException;

    /** Whether nobody writes the file and nothing of it awaits recovery; its length is final then. */
    boolean isFileClosed(FsPath path) throws FsException;

    /** @throws FsException NOT_FOUND, IS_A_DIRECTORY, PERMISSION_DENIED */
    FileReader open(FsPath path) throws FsException;

    /**
     * As {@link #open(FsPath)}, for who goes by a length that he was told before: of a file that is being written no byte
     * beyond it is read, so that he meets none twice who asks for the length again and goes on there.
     */
    FileReader openToldLength(FsPath path, long told) throws FsException;

    /** Opens what an earlier answer with a layout described: no request is sent for a closed file. */
    FileReader open(FsPath path, FileInfo known) throws FsException;

    /** Makes the directory and, where wanted, its parents. Refuses an existing directory only if {@code exclusive}. */
    FileInfo mkdirs(FsPath path, int mode, boolean createParents, boolean exclusive) throws FsException;

    /**
     * Entries of a directory in hash order, with attributes and layouts, a page at a time; a file lists as itself under
     * the empty name. The first page is fetched before the method returns. {@code next()} may throw
     * {@link java.io.UncheckedIOException}.
     */
    Iterator<Entry> list(FsPath path) throws FsException;

    /**
     * A part of a directory, for those who show it page by page; of a file it alone under an empty name.
     *
     * @param cursor of the part before; empty = from the beginning
     * @param limit entries at most; a server may have a lower limit of its own
     */
    ListPage list(FsPath path, ByteString cursor, int limit) throws FsException;

    /** As {@link #open(FsPath)}, for who may not read: no byte is fetched before. */
    default FileReader openUnread(FsPath path) throws FsException {
        return open(path);
    }

    /** All entries of a directory, sorted by name. */
    List<Entry> listSorted(FsPath path) throws FsException;

    /**
     * As {@link #listSorted(FsPath)}, of what a caller makes of the entries. It is made as they come, while others are on
     * their way.
     */
    default <T> List<T> listSorted(FsPath path, Function<Entry, T> made) throws FsException {
        return listSorted(path).stream().map(made).toList();
    }

    /**
     * Everything below a directory, walked by the servers; with layouts. Names are paths below it. A file lists as
     * itself under the empty name.
     */
    Iterator<Entry> listTree(FsPath path, boolean wantDirectories) throws FsException;

    /** @throws FsException NOT_FOUND, NOT_EMPTY (a non-empty directory without {@code recursive}), ... */
    void delete(FsPath path, boolean recursive) throws FsException;

    /** @return false where source and target are the same, so that nothing moved */
    boolean rename(FsPath source, FsPath target, RenameMode mode) throws FsException;

    FileInfo setAttributes(FsPath path, AttributeChange change) throws FsException;

    /** Sets an xattr; {@code create}: it may be new; {@code replace}: it may be there already. */
    void setXattr(FsPath path, String name, byte[] value, boolean create, boolean replace) throws FsException;

    /** @param names empty = all that the caller may see */
    Map<String, byte[]> getXattrs(FsPath path, List<String> names) throws FsException;

    void removeXattr(FsPath path, String name) throws FsException;

    ContentSummary contentSummary(FsPath path) throws FsException;

    /**
     * The cluster map: servers, free space, defaults for new files. Sends a request at most every ten seconds, or when a
     * reply showed a newer epoch.
     */
    io.steadfs.wire.proto.ClusterMap clusterMap() throws FsException;

    /** The cluster map that the client goes by; asks the servers only where it has none yet. */
    io.steadfs.wire.proto.ClusterMap knownClusterMap() throws FsException;

    /**
     * Ends the session: files still open for writing are abandoned and recovered by the servers. Operations of other threads
     * that are under way fail, with CANCELLED or TIMED_OUT, and so does what is asked for later.
     */
    @Override
    void close();
}
