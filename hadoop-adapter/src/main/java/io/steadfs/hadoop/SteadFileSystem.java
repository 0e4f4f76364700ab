package io.steadfs.hadoop;

import io.steadfs.checksum.Chunks;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.PartitionInfo;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.error.LinkException;
import io.steadfs.hadoop.HadoopErrors.Purpose;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FSLinkResolver;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.apache.hadoop.fs.impl.AbstractFSBuilderImpl;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.LambdaUtils;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * Offers SteadFS as Hadoop's {@link FileSystem}. The URI {@code stead://host:port/} names any metadata server of a
 * cluster. The URI {@code stead://name/} needs the configuration key {@code fs.stead.name.servers}. If HDFS differs
 * from the description of Hadoop's interface, this class does what HDFS does. One instance has one client. The client
 * acts for the user that initialized the instance.
 *
 * <p>Each operation is one method. The method converts Hadoop's values, and passes the request for the client to {@link
 * Mount}. Every change is one atomic request.
 *
 * <p>SteadFS does not offer {@code concat}, snapshots or ACLs.
 */
public class SteadFileSystem extends AttributeFileSystem implements LeaseRecoverable {
    static {
        // FileSystem finds this class by the service loader. AbstractFileSystem finds the class Stead only by the
        // configuration.
        Configuration.addDefaultResource("steadfs-default.xml");
    }

    /**
     * Hadoop's name for the policy of a file that is stored in whole copies. Hadoop's shell asks for the policy.
     * Directories have no policy.
     */
    private static final String REPLICATED = "Replicated";

    /** Hadoop calls this constructor, and then {@link #initialize}. */
    public SteadFileSystem() {
        this(Connector.NETWORK);
    }

    SteadFileSystem(Connector connector) {
        super(connector);
    }

    /** Makes a file system over a shared mount. This file system does not own the mount. */
    SteadFileSystem(URI uri, Mount mount) {
        super(uri, mount);
    }

    // ---- data

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        return open(path, Optional.empty(), OptionalLong.empty());
    }

    /**
     * @param known an earlier answer about the file, if the caller has such an answer; saves the request for a closed
     *     file
     * @param told length of the file that the caller relies on, in bytes; empty if the caller gave no length
     */
    private FSDataInputStream open(Path path, Optional<FileInfo> known, OptionalLong told) throws IOException {
        Mount mount = mount();
        AbsolutePath file = absolute(path);
        // If the mode does not let the caller read, the server decides. Only the server knows who is a superuser.
        Optional<FileInfo> enough = known.filter(mount.user()::modeLetsRead);
        FileReader reader = mount.show(StoreStatisticNames.OP_OPEN, file, (client, target, shown) -> {
            if (enough.isPresent()) {
                return client.open(target, enough.get());
            }
            // Behind a symbolic link, the told length may be that of the link.
            return told.isPresent() && shown.equals(file)
                    ? client.openToldLength(target, told.getAsLong())
                    : client.open(target);
        });
        return mount.streams().reading(file, reader);
    }

    /**
     * Opens a file. A status that this file system has returned saves the request for a closed file. Buffer sizes and
     * read policies are accepted and ignored, because the client sees how a program reads the file.
     */
    @Override
    protected CompletableFuture<FSDataInputStream> openFileWithOptions(Path path, OpenFileParameters parameters)
            throws IOException {
        AbstractFSBuilderImpl.rejectUnknownMandatoryKeys(
                parameters.getMandatoryKeys(),
                Options.OpenFileOptions.FS_OPTION_OPENFILE_STANDARD_OPTIONS,
                "for " + path);
        FileStatus status = parameters.getStatus();
        if (status != null
                && !status.getPath().getName().equals(path.getName())
                && !linkStatus(path).isSymlink()) {
            throw new IllegalArgumentException("status of " + status.getPath() + " given to open " + path);
        }
        Optional<FileInfo> known = status instanceof SteadFileStatus ours ? ours.readable() : Optional.empty();
        OptionalLong most = ToldLength.of(parameters.getOptions());
        return LambdaUtils.eval(new CompletableFuture<>(), () -> open(path, known, most));
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress)
            throws IOException {
        EnumSet<CreateFlag> flags =
                overwrite ? EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE) : EnumSet.of(CreateFlag.CREATE);
        return create(path, new NewFile(() -> masked(permission), flags, true, replication, blockSize));
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            @Nullable FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress,
            Options.@Nullable ChecksumOpt checksum)
            throws IOException {
        return create(path, new NewFile(() -> masked(permission), flags, true, replication, blockSize));
    }

    @Override
    public FSDataOutputStream createNonRecursive(
            Path path,
            @Nullable FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress)
            throws IOException {
        return create(path, new NewFile(() -> masked(permission), flags, false, replication, blockSize));
    }

    @Override
    @SuppressWarnings("deprecation")
    protected FSDataOutputStream primitiveCreate(
            Path path,
            FsPermission absolutePermission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress,
            Options.@Nullable ChecksumOpt checksum)
            throws IOException {
        return create(path, new NewFile(() -> absolutePermission, flags, true, replication, blockSize));
    }

    @Override
    public FSDataOutputStreamBuilder<?, ?> createFile(Path path) {
        return new FileBuilder(this, makeQualified(path)).create().overwrite(true);
    }

    /** Makes a new file, or opens an existing file at its end, depending on the create flags. */
    FSDataOutputStream create(Path path, NewFile wanted) throws IOException {
        // A path of another file system must fail here, before any other check.
        AbsolutePath file = absolute(path);
        CreateFlags flags = CreateFlags.of(wanted.flags(), () -> exists(path), file);
        if (flags == CreateFlags.APPEND) {
            return append(path, 0, null);
        }
        Mount mount = mount();
        CreateOptions options = wanted.options(file, flags == CreateFlags.REPLACE, mount.options());
        FileWriter writer = mount.change(
                StoreStatisticNames.OP_CREATE,
                file,
                Purpose.MAKE_ENTRY,
                (client, target) -> client.create(target, options));
        return mount.streams().writing(file, writer);
    }

    /** Opens a file at its end. The position of the stream begins at the length of the file, as in HDFS. */
    @Override
    public FSDataOutputStream append(Path path, int bufferSize, @Nullable Progressable progress) throws IOException {
        Mount mount = mount();
        AbsolutePath file = absolute(path);
        FileWriter writer = mount.change(StoreStatisticNames.OP_APPEND, file, Purpose.APPEND, SteadFs::append);
        return mount.streams().writing(file, writer);
    }

    /** Always returns true, because the truncate is complete when this method returns. */
    @Override
    public boolean truncate(Path path, long newLength) throws IOException {
        Mount mount = mount();
        AbsolutePath file = absolute(path);
        mount.checkOpen();
        if (newLength < 0) {
            throw new HadoopIllegalArgumentException("Cannot truncate " + file + " to a negative length: " + newLength);
        }
        mount.change(
                StoreStatisticNames.OP_TRUNCATE,
                file,
                Purpose.LOOK_UP,
                (client, target) -> client.truncate(target, newLength));
        return true;
    }

    @Override
    public boolean recoverLease(Path path) throws IOException {
        Mount mount = mount();
        AbsolutePath file = absolute(path);
        return LeaseQuestion.of(
                file, () -> mount.change("op_recover_lease", file, Purpose.LOOK_UP, SteadFs::recoverLease));
    }

    @Override
    public boolean isFileClosed(Path path) throws IOException {
        Mount mount = mount();
        AbsolutePath file = absolute(path);
        return LeaseQuestion.of(file, () -> mount.read("op_is_file_closed", file, SteadFs::isFileClosed));
    }

    @Override
    public FileChecksum getFileChecksum(Path path) throws IOException {
        return getFileChecksum(path, Long.MAX_VALUE);
    }

    /**
     * For a whole file, the CRC is computed from checksums that the servers store. For a part of a file, the CRC is
     * computed from the bytes of the part.
     */
    @Override
    public FileChecksum getFileChecksum(Path path, long length) throws IOException {
        Mount mount = mount();
        AbsolutePath file = absolute(path);
        mount.checkOpen();
        if (length < 0) {
            throw new HadoopIllegalArgumentException(file + ": a checksum of " + length + " bytes");
        }
        int crc = mount.read(
                StoreStatisticNames.OP_GET_FILE_CHECKSUM,
                file,
                (client, target) -> Crc.of(client, target, file, length));
        return new CompositeCrcFileChecksum(crc, DataChecksum.Type.CRC32C, Chunks.CHUNK_BYTES);
    }

    // ---- names

    @Override
    public boolean mkdirs(Path path, @Nullable FsPermission permission) throws IOException {
        // A path of another file system must fail here, before any other check.
        AbsolutePath directory = absolute(path);
        makeDirectory(directory, masked(permission == null ? FsPermission.getDirDefault() : permission), true);
        return true;
    }

    @Override
    @SuppressWarnings("deprecation")
    protected boolean primitiveMkdir(Path path, FsPermission absolutePermission) throws IOException {
        primitiveMkdir(path, absolutePermission, true);
        return true;
    }

    @Override
    @SuppressWarnings("deprecation")
    protected void primitiveMkdir(Path path, FsPermission absolutePermission, boolean createParent) throws IOException {
        makeDirectory(absolute(path), absolutePermission, createParent);
    }

    private void makeDirectory(AbsolutePath directory, FsPermission absolutePermission, boolean createParent)
            throws IOException {
        mount().change(
                        StoreStatisticNames.OP_MKDIRS,
                        directory,
                        Purpose.MAKE_ENTRY,
                        (client, target) -> client.mkdirs(target, Modes.of(absolutePermission), createParent, false));
    }

    /**
     * Deletes the path. Returns false if nothing existed at the path. Returns false also for the root, because the root
     * cannot be deleted.
     */
    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        Mount mount = mount();
        AbsolutePath gone = absolute(path);
        return mount.isShortEnough(gone)
                && mount.change(
                        StoreStatisticNames.OP_DELETE,
                        gone,
                        Purpose.LOOK_UP,
                        (client, target) -> Deletion.of(client, target, recursive));
    }

    @Override
    public boolean rename(Path source, Path target) throws IOException {
        Mount mount = mount();
        AbsolutePath from = absolute(source);
        AbsolutePath to = absolute(target);
        if (!mount.isShortEnough(from)) {
            return false;
        }
        return mount.change(
                StoreStatisticNames.OP_RENAME,
                from,
                Purpose.MOVE,
                (client, moved) ->
                        SymbolicLinks.follow(to, true, name -> Renaming.into(client, moved, PathNames.ofNew(name))));
    }

    /** Renames by one atomic request. The inherited method deletes the target before moving the source. */
    @Override
    @SuppressWarnings("deprecation")
    public void rename(Path source, Path target, Options.Rename... options) throws IOException {
        Mount mount = mount();
        AbsolutePath from = absolute(source);
        AbsolutePath to = absolute(target);
        boolean overwrite = List.of(options).contains(Options.Rename.OVERWRITE);
        boolean moved = mount.change(
                StoreStatisticNames.OP_RENAME,
                from,
                Purpose.MOVE,
                (client, found) -> SymbolicLinks.follow(
                        to, true, name -> Renaming.onto(client, found, PathNames.ofNew(name), overwrite)));
        if (!moved) {
            throw new FileAlreadyExistsException("The source " + from + " and the target are the same");
        }
    }

    /** Makes a symbolic link. Whether the target exists does not matter. */
    @Override
    public void createSymlink(Path target, Path link, boolean createParent) throws IOException {
        if (!areSymlinksEnabled()) {
            throw new UnsupportedOperationException("Symlinks not supported: " + SymbolicLinks.ENABLED + " is not set");
        }
        Mount mount = mount();
        AbsolutePath name = absolute(link);
        String text = target.toString();
        mount.change(
                "op_create_symlink",
                name,
                Purpose.MAKE_ENTRY,
                (client, made) ->
                        client.createSymlink(made, text, createParent, Modes.of(masked(FsPermission.getDirDefault()))));
    }

    @Override
    public boolean supportsSymlinks() {
        return true;
    }

    /** The status of the link itself, if the path is a symbolic link. Its target has scheme and authority then. */
    @Override
    public FileStatus getFileLinkStatus(Path path) throws IOException {
        SteadFileStatus status = linkStatus(path);
        if (status.isSymlink()) {
            status.setSymlink(FSLinkResolver.qualifySymlinkTarget(getUri(), status.getPath(), status.getSymlink()));
        }
        return status;
    }

    /** As {@link #getFileLinkStatus}, with the target as {@link #getLinkTarget} tells it. */
    SteadFileStatus linkStatus(Path path) throws IOException {
        Mount mount = mount();
        AbsolutePath asked = absolute(path);
        return mount.show("op_get_file_link_status", asked, (client, target, shown) -> {
            SteadFileStatus status = mount.servers().status(client.statLink(target), shown.qualified());
            if (status.isSymlink() && !shown.equals(asked)) {
                status.setSymlink(SymbolicLinks.fromDirectory(target, status.getSymlink()));
            }
            return status;
        });
    }

    /**
     * The target of a symbolic link, as the maker of the link wrote it. If the path goes through another link, a
     * relative target would lead elsewhere from there, so it is made absolute.
     */
    @Override
    public Path getLinkTarget(Path path) throws IOException {
        SteadFileStatus status;
        try {
            status = linkStatus(path);
        } catch (UnresolvedLinkException e) {
            if (e.getCause() instanceof LinkException link) {
                return SymbolicLinks.elsewhere(link);
            }
            throw e;
        }
        if (!status.isSymlink()) {
            // Programs look for these words of Hadoop in the message.
            throw new IOException("Path " + status.getPath() + " is not a symbolic link");
        }
        return status.getSymlink();
    }

    /** The path behind all links but that which has the last name: so a link moves to the trash, not what it leads to. */
    @Override
    public Path resolvePath(Path path) throws IOException {
        return linkStatus(path).getPath();
    }

    @Override
    protected Path resolveLink(Path path) throws IOException {
        return getLinkTarget(path);
    }

    // ---- looking

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return status(absolute(path));
    }

    private SteadFileStatus status(AbsolutePath path) throws IOException {
        Mount mount = mount();
        return mount.show(
                StoreStatisticNames.OP_GET_FILE_STATUS,
                path,
                (client, target, shown) -> mount.servers().status(client.stat(target), shown.qualified()));
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return find(StoreStatisticNames.OP_EXISTS, path).isPresent();
    }

    @Override
    @Deprecated
    public boolean isDirectory(Path path) throws IOException {
        return find(StoreStatisticNames.OP_IS_DIRECTORY, path)
                .filter(FileInfo::directory)
                .isPresent();
    }

    @Override
    @Deprecated
    public boolean isFile(Path path) throws IOException {
        return find(StoreStatisticNames.OP_IS_FILE, path)
                .filter(info -> !info.directory())
                .isPresent();
    }

    /** The attributes; empty if nothing exists at the path. An absent path makes no exception, if its name is allowed. */
    private Optional<FileInfo> find(String operation, Path path) throws IOException {
        try {
            return mount().read(operation, absolute(path), SteadFs::find);
        } catch (FileNotFoundException e) {
            // The exception means that no file can have such a name.
            return Optional.empty();
        }
    }

    /** Asks the server whether the user of this file system has access. Only the server knows who is a superuser. */
    @Override
    public void access(Path path, FsAction action) throws IOException {
        mount().read("op_access", absolute(path), (client, target) -> client.access(target, Modes.of(action)));
    }

    /** Lists a directory, sorted by name. Every status is a {@link LocatedFileStatus}. */
    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        Mount mount = mount();
        AbsolutePath directory = absolute(path);
        return mount.show(
                StoreStatisticNames.OP_LIST_STATUS,
                directory,
                (client, target, shown) -> client.listSorted(
                                target, mount.servers().statusesIn(shown.qualified()))
                        .toArray(SteadFileStatus[]::new));
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
        return widen(listPaged(path));
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
        return widen(listPaged(path));
    }

    /**
     * Lists a directory. A directory with at most {@code stead.list.sorted.entries} entries is sorted by name. A larger
     * directory is listed page by page in the servers' order.
     */
    private RemoteIterator<SteadFileStatus> listPaged(Path path) throws IOException {
        Mount mount = mount();
        AbsolutePath directory = absolute(path);
        return mount.show(StoreStatisticNames.OP_LIST_LOCATED_STATUS, directory, (client, target, shown) -> {
            Iterator<Entry> entries = new SortedIfShort<>(
                    client.list(target), mount.options().sortedEntries(), Comparator.comparing(Entry::name));
            return new EntryIterator<>(
                    entries, shown, entry -> true, mount.servers().statusesIn(shown.qualified()));
        });
    }

    @Override
    public FileStatus @Nullable [] globStatus(Path pattern) throws IOException {
        return globStatus(pattern, path -> true);
    }

    @Override
    public FileStatus @Nullable [] globStatus(Path pattern, PathFilter filter) throws IOException {
        try {
            return new NamesAsGiven(this).globStatus(pattern, filter);
        } catch (IllegalArgumentException e) {
            if (!(e.getCause() instanceof URISyntaxException)) {
                throw e;
            }
            LOG.debug("{} meets a name with a colon", pattern, e);
            return new ColonGlob(new NamesAsGiven(this)).find(pattern, filter);
        }
    }

    /** Lists files in the servers' order. The servers walk the tree. */
    @Override
    public RemoteIterator<LocatedFileStatus> listFiles(Path path, boolean recursive) throws IOException {
        Mount mount = mount();
        AbsolutePath directory = absolute(path);
        Predicate<Entry> isFile = entry -> !entry.info().directory();
        return mount.show(
                StoreStatisticNames.OP_LIST_FILES,
                directory,
                (client, target, shown) -> widen(new EntryIterator<>(
                        recursive ? client.listTree(target, false) : client.list(target),
                        shown,
                        isFile,
                        mount.servers().statusesIn(shown.qualified()))));
    }

    /**
     * Converts an iterator over a subclass to an iterator over its superclass. The conversion is safe, because an
     * iterator only returns elements.
     */
    @SuppressWarnings("unchecked")
    static <T> RemoteIterator<T> widen(RemoteIterator<? extends T> iterator) {
        return (RemoteIterator<T>) iterator;
    }

    @Override
    public BlockLocation @Nullable [] getFileBlockLocations(@Nullable FileStatus file, long start, long length)
            throws IOException {
        if (file == null) {
            return null;
        }
        return blocks(file.getPath(), Optional.of(file), start, length);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path path, long start, long length) throws IOException {
        return blocks(path, Optional.empty(), start, length);
    }

    /**
     * @param known status of the file, if the caller has a status; a {@link SteadFileStatus} saves the request
     * @throws FileNotFoundException if the path is a directory
     */
    private BlockLocation[] blocks(Path path, Optional<FileStatus> known, long start, long length) throws IOException {
        Mount mount = mount();
        AbsolutePath file = absolute(path);
        // HDFS checks the range before the path, too.
        if (start < 0 || length < 0) {
            throw new IOException(file + ": block locations from " + start + ", " + length + " bytes");
        }
        mount.pathOf(file, Purpose.LOOK_UP);
        SteadFileStatus located = known.isPresent() && known.get() instanceof SteadFileStatus ours && !ours.isSymlink()
                ? ours
                : status(file);
        if (located.isDirectory()) {
            throw new FileNotFoundException("Path is not a file: " + file);
        }
        return mount.servers().blocks(located.info(), start, length);
    }

    /** The partitions of a directory, in the order of their hashes. */
    public List<PartitionInfo> partitions(Path path) throws IOException {
        return mount().read(StoreStatisticNames.OP_LIST_STATUS, absolute(path), SteadFs::partitions);
    }

    @Override
    public ContentSummary getContentSummary(Path path) throws IOException {
        io.steadfs.client.list.ContentSummary summary =
                mount().read(StoreStatisticNames.OP_GET_CONTENT_SUMMARY, absolute(path), SteadFs::contentSummary);
        return new ContentSummary.Builder()
                .length(summary.length())
                .fileCount(summary.files())
                .directoryCount(summary.directories())
                .spaceConsumed(summary.space())
                .erasureCodingPolicy(summary.directories() == 0 ? REPLICATED : "")
                .build();
    }
}
