package io.steadfs.client;

import com.google.protobuf.ByteString;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.ContentSummary;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.client.list.PartitionInfo;
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
 * Is the blocking interface of the file system for one caller. A caller is a user with groups. Each method returns
 * after the operation is complete. Thread-safe.
 *
 * <p>Every change is one atomic request. The change is durable when the method returns. The client repeats the request
 * under the same id until the outcome is known or the operation timeout has passed. After the timeout, the method
 * throws {@link FsException} with {@code TIMED_OUT}, because the outcome is unknown.
 *
 * <p>If a path does not exist or the caller may not reach the path, every method throws the errors of {@link #stat}.
 *
 * <p>No method follows symbolic links, since a link may lead to another file system. A method whose path goes through a
 * link throws {@link io.steadfs.error.LinkException}. {@link io.steadfs.path.LinkTarget#goOn} says where to go on.
 * {@link #delete}, {@link #rename}, {@link #createSymlink} and {@link #statLink} take a link as the last name of a path
 * for what it is.
 */
public interface SteadFs extends AutoCloseable {
    /**
     * Returns the attributes of a file or directory, and the layout of a file.
     *
     * @throws FsException NOT_FOUND; NOT_A_DIRECTORY if a parent in the path is a file; PERMISSION_DENIED
     */
    FileInfo stat(FsPath path) throws FsException;

    /**
     * Returns the attributes like {@link #stat}, but of the link itself if the last name is a symbolic link.
     *
     * @throws FsException as {@link #stat}
     */
    FileInfo statLink(FsPath path) throws FsException;

    /**
     * Returns the attributes like {@link #stat}, and also checks permissions of the caller.
     *
     * @param bits sum of the permissions to check: read 4, write 2, execute 1
     * @throws FsException PERMISSION_DENIED if the caller lacks one of the permissions
     */
    FileInfo access(FsPath path, int bits) throws FsException;

    /**
     * Returns the attributes like {@link #stat}, for a path that may be missing. Empty if the path or a parent is
     * missing. Empty also if a parent is a file.
     */
    default Optional<FileInfo> find(FsPath path) throws FsException {
        try {
            return Optional.of(stat(path));
        } catch (FsException e) {
            if (e.error().isAbsence()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Creates a file and opens the file for writing. Other callers can see the new file at once.
     *
     * @throws FsException ALREADY_EXISTS if the file exists and the options do not allow replacing the file;
     *     IS_A_DIRECTORY
     */
    FileWriter create(FsPath path, CreateOptions options) throws FsException;

    /**
     * Opens a closed file for writing at its end.
     *
     * @throws FsException FILE_OPEN if another writer has the file, or the servers are recovering the file, see {@link
     *     #recoverLease}; NOT_FOUND, IS_A_DIRECTORY, PERMISSION_DENIED; CORRUPT if bytes of the file are missing
     */
    FileWriter append(FsPath path) throws FsException;

    /**
     * Shortens a closed file. Returns after all bytes beyond the new length are gone. If the method fails with
     * TIMED_OUT, the message says whether the new length already applies.
     *
     * @throws FsException INVALID_ARGUMENT if the new length is above the length of the file; also the errors of {@link
     *     #append}
     */
    FileInfo truncate(FsPath path, long length) throws FsException;

    /**
     * Takes an open file away from its writer. The next request of the writer fails. The servers then close the file
     * with the bytes that readers can see. The servers need a moment for that. So the caller should repeat this method
     * or {@link #isFileClosed} until the result is true. The caller needs permission to write the file.
     *
     * @return whether the file is closed now
     * @throws FsException IS_A_DIRECTORY
     */
    boolean recoverLease(FsPath path) throws FsException;

    /**
     * Whether the file has no writer and needs no recovery. The length of a closed file is final.
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
     * Opens a file for reading, for a caller that already knows a length of the file. If a writer has the file open,
     * the reader ends at the known length. Later, the caller can ask for the new length and go on reading at the known
     * length. So the caller reads no byte twice.
     *
     * @param told the known length in bytes
     */
    FileReader openToldLength(FsPath path, long told) throws FsException;

    /**
     * Opens a file for reading, by its attributes and layout from an earlier answer. For a closed file, no request is
     * sent.
     */
    FileReader open(FsPath path, FileInfo known) throws FsException;

    /**
     * Makes a directory. If {@code createParents} is true, also makes the missing parents.
     *
     * @param mode permission bits and the sticky bit
     * @param exclusive whether an existing directory is an error
     * @throws FsException ALREADY_EXISTS if a file exists at the path; also if a directory exists and {@code exclusive}
     *     is true
     */
    FileInfo mkdirs(FsPath path, int mode, boolean createParents, boolean exclusive) throws FsException;

    /**
     * Lists the entries of a directory in hash order, with attributes and layouts. If the path is a file, the only
     * entry is the file itself, under the empty name. The iterator fetches the entries page by page. The first page is
     * fetched before the method returns. {@code next()} may throw {@link java.io.UncheckedIOException}.
     */
    Iterator<Entry> list(FsPath path) throws FsException;

    /**
     * Lists one page of a directory, for callers that show a directory page by page. If the path is a file, the only
     * entry is the file itself, under the empty name.
     *
     * @param cursor cursor of the page before; empty = the first page
     * @param limit largest number of entries on the page; a server may have a lower limit
     */
    ListPage list(FsPath path, ByteString cursor, int limit) throws FsException;

    /** Opens a file for reading, but fetches no bytes in advance. Meant for callers that perhaps read no bytes. */
    default FileReader openUnread(FsPath path) throws FsException {
        return open(path);
    }

    /**
     * Lists all entries of a directory, sorted by name. If the path is a file, the only entry is the file itself, under
     * the empty name.
     */
    List<Entry> listSorted(FsPath path) throws FsException;

    /**
     * Lists a directory like {@link #listSorted(FsPath)}, and converts each entry by the caller's function. Each entry
     * is converted as soon as the entry arrives, while later entries are still on their way.
     */
    default <T> List<T> listSorted(FsPath path, Function<Entry, T> made) throws FsException {
        return listSorted(path).stream().map(made).toList();
    }

    /**
     * Lists all files below a directory, with layouts. If {@code wantDirectories} is true, also lists the directories.
     * The servers walk the tree. The name of an entry is its path relative to the directory. If the path is a file, the
     * only entry is the file itself, under the empty name.
     */
    Iterator<Entry> listTree(FsPath path, boolean wantDirectories) throws FsException;

    /**
     * Makes a symbolic link. Whether the target exists does not matter.
     *
     * @param link the new name
     * @param target absolute path, path from the directory of the link on, or URI; see {@link
     *     io.steadfs.path.LinkTarget}
     * @param createParents whether missing parents are made
     * @param parentMode permission bits of new parents
     * @return the attributes of the link itself
     * @throws FsException ALREADY_EXISTS; IS_A_DIRECTORY; INVALID_ARGUMENT for an empty target, NAME_TOO_LONG for one
     *     above 8,000 bytes
     */
    FileInfo createSymlink(FsPath link, String target, boolean createParents, int parentMode) throws FsException;

    /**
     * Deletes a file or symbolic link, or a directory with all its contents.
     *
     * @throws FsException NOT_EMPTY if the directory is not empty and {@code recursive} is false; INVALID_ARGUMENT for
     *     the root
     */
    void delete(FsPath path, boolean recursive) throws FsException;

    /**
     * Gives a file or a directory another name.
     *
     * @return false if source and target are the same, so nothing moved
     * @throws FsException ALREADY_EXISTS, IS_A_DIRECTORY, NOT_A_DIRECTORY or NOT_EMPTY if the source may not replace
     *     the target; INVALID_RENAME for the root, and for moving a directory into its own subtree
     */
    boolean rename(FsPath source, FsPath target, RenameMode mode) throws FsException;

    /**
     * Sets attributes of a file or a directory.
     *
     * @return the attributes after the change
     * @throws FsException PERMISSION_DENIED; IS_A_DIRECTORY if the change sets a replication on a directory;
     *     STALE_VERSION if the change expects another object or version, and then nothing is set
     */
    FileInfo setAttributes(FsPath path, AttributeChange change) throws FsException;

    /**
     * Sets an extended attribute.
     *
     * @param name name with its namespace, such as {@code user.color}
     * @param create whether the attribute may be new
     * @param replace whether the attribute may exist already
     * @throws FsException XATTR_EXISTS if the attribute exists and {@code replace} is false; XATTR_NOT_FOUND if the
     *     attribute is new and {@code create} is false; TOO_LARGE
     */
    void setXattr(FsPath path, String name, byte[] value, boolean create, boolean replace) throws FsException;

    /**
     * Returns the values of extended attributes by name.
     *
     * @param names names of the attributes; empty = all attributes that the caller may see
     * @throws FsException XATTR_NOT_FOUND if a named attribute does not exist
     */
    Map<String, byte[]> getXattrs(FsPath path, List<String> names) throws FsException;

    /** @throws FsException XATTR_NOT_FOUND */
    void removeXattr(FsPath path, String name) throws FsException;

    /**
     * Counts the bytes, files and directories of a tree. For a file, counts only the file.
     *
     * @throws FsException PERMISSION_DENIED if the caller may not list a directory of the tree
     */
    ContentSummary contentSummary(FsPath path) throws FsException;

    /**
     * Returns the partitions of a directory, in the order of their hashes. Most directories have one.
     *
     * @throws FsException NOT_A_DIRECTORY; PERMISSION_DENIED if the caller may not list the directory
     */
    List<PartitionInfo> partitions(FsPath path) throws FsException;

    /**
     * Returns the cluster map: servers, free space, and defaults for new files. Sends at most one request in ten
     * seconds. If a reply has shown a newer epoch, sends a request earlier.
     */
    io.steadfs.wire.proto.ClusterMap clusterMap() throws FsException;

    /** Returns the cluster map that the client uses. Asks the servers only if the client has no cluster map yet. */
    io.steadfs.wire.proto.ClusterMap knownClusterMap() throws FsException;

    /**
     * Ends the session. The client gives up all files that are still open for writing, and the servers recover these
     * files. Running operations of other threads fail with CANCELLED or TIMED_OUT. Later operations fail, too.
     */
    @Override
    void close();
}
