package io.steadfs.hadoop;

import io.steadfs.checksum.Chunks;
import io.steadfs.client.AttributeChange;
import io.steadfs.client.RenameMode;
import io.steadfs.client.SteadFs;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.write.FileWriter;
import io.steadfs.cluster.ClusterSpace;
import io.steadfs.config.ConfigException;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.hadoop.HadoopErrors.Purpose;
import io.steadfs.path.FsPath;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ref.Reference;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.statistics.StoreStatisticNames;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client behind Hadoop's types: the part that {@link SteadFileSystem} and {@link Stead} have in common. Paths come in qualified, so
 * that statuses go out with the paths that the caller knows. Thread-safe.
 *
 * <p>Every method that changes something is one atomic request.
 */
final class Mount implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Mount.class);

    private static final int FILE_BUFFER_BYTES = 64 * 1024;
    private static final int MODE_BITS = 01777;
    private static final int READ = 4;
    private static final int WRITE = 2;
    private static final int EXECUTE = 1;

    /** Hadoop's name for a file that is kept in whole copies. The shell asks for it. Directories have no policy. */
    private static final String REPLICATED = "Replicated";

    private static final int MOST_REPLICATION = 512;

    private final SteadFs fs;
    private final String user;
    private final Set<String> groups;
    private final FileSystem.@Nullable Statistics statistics;
    private final OperationCounts counts;
    private final long blockSize;
    private final int width;
    private final int stripSize;
    private final int sortedEntries;
    private final SteadInputStream.Joining joining;
    private final Set<SteadOutputStream> writing = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Places places;
    private volatile boolean closed;

    /** Places of blocks, computed from a cluster map. Computed again when the map is another one. */
    private record Places(ClusterMap map, BlockPlaces blocks) {}

    private interface Request<T> {
        T send(FsPath path) throws FsException;
    }

    private final SteadFileStatus.Locator locator = file -> blocks(file, 0, file.length());

    /** @throws IOException if the URI or the configuration cannot be used */
    Mount(URI uri, Configuration conf, Connector connector, FileSystem.@Nullable Statistics statistics)
            throws IOException {
        Settings settings = HadoopSettings.of(conf);
        UserGroupInformation caller = UserGroupInformation.getCurrentUser();
        this.user = caller.getShortUserName();
        this.groups = Set.copyOf(caller.getGroupsSet());
        this.statistics = statistics;
        try {
            this.blockSize = settings.get(AdapterKeys.BLOCK_SIZE);
            this.width = settings.get(AdapterKeys.CREATE_WIDTH).intValue();
            this.stripSize = settings.get(AdapterKeys.CREATE_STRIP_SIZE).intValue();
            this.sortedEntries = settings.get(AdapterKeys.SORTED_ENTRIES).intValue();
            this.joining = new SteadInputStream.Joining(
                    settings.get(AdapterKeys.VECTORED_MIN_SEEK).intValue(),
                    settings.get(AdapterKeys.VECTORED_MAX_SIZE).intValue());
            Connector.Connection connection = connector.connect(
                    settings,
                    HadoopSettings.servers(uri, conf),
                    Caller.newBuilder().setUser(user).addAllGroups(groups).build());
            this.fs = connection.fs();
            this.counts = new OperationCounts(uri.getScheme() + "://" + uri.getAuthority(), connection.counters());
        } catch (ConfigException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    SteadFs client() {
        return fs;
    }

    String user() {
        return user;
    }

    OperationCounts counts() {
        return counts;
    }

    private <T> T read(String operation, Path path, Request<T> request) throws IOException {
        counts.count(operation);
        if (statistics != null) {
            statistics.incrementReadOps(1);
        }
        try {
            return send(path, Purpose.LOOK_UP, request);
        } finally {
            // A shared mount is closed when nobody refers to it. The caller that waits here may be the last one.
            Reference.reachabilityFence(this);
        }
    }

    private <T> T change(String operation, Path path, Purpose purpose, Request<T> request) throws IOException {
        counts.count(operation);
        if (statistics != null) {
            statistics.incrementWriteOps(1);
        }
        try {
            return send(path, purpose, request);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** An error of the path comes before the error that this mount is closed. As in HDFS, except that its client does not check lengths. */
    private FsPath parse(Path path, Purpose purpose) throws IOException {
        try {
            return purpose == Purpose.MAKE_ENTRY ? PathNames.ofNew(path) : PathNames.of(path, purpose);
        } finally {
            checkOpen();
        }
    }

    private <T> T send(Path path, Purpose purpose, Request<T> request) throws IOException {
        FsPath target = parse(path, purpose);
        try {
            return request.send(target);
        } catch (FsException e) {
            throw HadoopErrors.translate(e, path.toString(), purpose);
        }
    }

    boolean isClosed() {
        return closed;
    }

    void checkOpen() throws IOException {
        if (closed) {
            // HDFS's words: programs look for them.
            throw new IOException("Filesystem closed: " + counts.getName());
        }
    }

    // ---- looking

    SteadFileStatus status(Path path) throws IOException {
        return read(StoreStatisticNames.OP_GET_FILE_STATUS, path, target -> status(fs.stat(target), path));
    }

    boolean exists(Path path) throws IOException {
        try {
            return read(
                    StoreStatisticNames.OP_EXISTS,
                    path,
                    target -> fs.find(target).isPresent());
        } catch (FileNotFoundException e) {
            // No file has such a name.
            return false;
        }
    }

    /** The server is asked whether the user of this mount has access, because the server knows who is a superuser. */
    void access(Path path, FsAction action) throws IOException {
        read("op_access", path, target -> fs.access(target, bits(action)));
    }

    private static int bits(FsAction action) {
        return (action.implies(FsAction.READ) ? READ : 0)
                | (action.implies(FsAction.WRITE) ? WRITE : 0)
                | (action.implies(FsAction.EXECUTE) ? EXECUTE : 0);
    }

    private SteadFileStatus status(FileInfo info, Path path) {
        return new SteadFileStatus(info, path, locator);
    }

    private Function<Entry, SteadFileStatus> entriesOf(Path directory) {
        ChildPaths paths = new ChildPaths(directory);
        return entry -> status(entry.info(), entry.name().isEmpty() ? directory : paths.of(entry.name()));
    }

    SteadFileStatus[] list(Path path) throws IOException {
        return read(
                StoreStatisticNames.OP_LIST_STATUS,
                path,
                target -> fs.listSorted(target, entriesOf(path)).toArray(SteadFileStatus[]::new));
    }

    /** Sorted by name if the directory is not too large for that. Otherwise page by page in the servers' order. */
    RemoteIterator<SteadFileStatus> listPaged(Path path) throws IOException {
        Iterator<Entry> entries = new SortedIfShort<>(
                read(StoreStatisticNames.OP_LIST_LOCATED_STATUS, path, fs::list),
                sortedEntries,
                Comparator.comparing(Entry::name));
        return new EntryIterator<>(entries, path.toString(), entry -> true, entriesOf(path));
    }

    /** Lists files only. */
    RemoteIterator<SteadFileStatus> listFiles(Path path, boolean recursive) throws IOException {
        Iterator<Entry> entries = read(
                StoreStatisticNames.OP_LIST_FILES,
                path,
                target -> recursive ? fs.listTree(target, false) : fs.list(target));
        Predicate<Entry> isFile = entry -> !entry.info().directory();
        return new EntryIterator<>(entries, path.toString(), isFile, entriesOf(path));
    }

    ContentSummary contentSummary(Path path) throws IOException {
        io.steadfs.client.list.ContentSummary summary =
                read(StoreStatisticNames.OP_GET_CONTENT_SUMMARY, path, fs::contentSummary);
        return new ContentSummary.Builder()
                .length(summary.length())
                .fileCount(summary.files())
                .directoryCount(summary.directories())
                .spaceConsumed(summary.space())
                .erasureCodingPolicy(summary.directories() == 0 ? REPLICATED : "")
                .build();
    }

    // ---- servers

    private ClusterMap knownMap() throws IOException {
        checkOpen();
        try {
            return fs.knownClusterMap();
        } catch (FsException e) {
            throw HadoopErrors.translate(e, "cluster map", Purpose.LOOK_UP);
        }
    }

    @SuppressWarnings("ReferenceEquality") // another map object is reason enough to look again
    BlockLocation[] blocks(FileInfo file, long start, long length) throws IOException {
        ClusterMap map = knownMap();
        Places known = places;
        if (known == null || known.map() != map) {
            known = new Places(map, new BlockPlaces(map));
            places = known;
        }
        return known.blocks().of(file, start, length);
    }

    /**
     * @param file its status, if one is known: a status of ours saves the request
     * @throws FileNotFoundException if it is a directory
     */
    BlockLocation[] blocks(Path path, @Nullable FileStatus file, long start, long length) throws IOException {
        // Checked before the path, as HDFS does.
        if (start < 0 || length < 0) {
            throw new IOException(path + ": block locations from " + start + ", " + length + " bytes");
        }
        parse(path, Purpose.LOOK_UP);
        SteadFileStatus located = file instanceof SteadFileStatus ours ? ours : status(path);
        if (located.isDirectory()) {
            throw new FileNotFoundException("Path is not a file: " + path);
        }
        return blocks(located.info(), start, length);
    }

    private ClusterMap presentMap() throws IOException {
        checkOpen();
        try {
            return fs.clusterMap();
        } catch (FsException e) {
            throw HadoopErrors.translate(e, "cluster map", Purpose.LOOK_UP);
        }
    }

    /**
     * Used is what SteadFS stores, and remaining is what can still be written. Capacity also includes all else on the disks. Servers that
     * do not run are in used and capacity with their last known figures, and a warning names each.
     */
    FsStatus space() throws IOException {
        ClusterSpace space = ClusterSpace.of(presentMap());
        for (ClusterSpace.ServerSpace away : space.away()) {
            LOG.warn(
                    "{} of {} IO servers answer: {} does not run; {}",
                    space.reached(),
                    space.servers(),
                    away.server(),
                    away.asOfMillis() == 0
                            ? "what it stores is not known, and not counted"
                            : "counted is what was known of it at " + Instant.ofEpochMilli(away.asOfMillis()) + ": "
                                    + away.usedBytes() + " bytes stored, of a disk of " + away.capacityBytes());
        }
        return new FsStatus(space.capacityBytes(), space.usedBytes(), space.freeBytes());
    }

    /** The user's choice, or the cluster's default. The default comes from the map that the client has. */
    long defaultBlockSize() throws IOException {
        return blockSize > 0 ? blockSize : knownMap().getBlockSize();
    }

    FsServerDefaults serverDefaults() throws IOException {
        return new FsServerDefaults(
                defaultBlockSize(),
                Chunks.CHUNK_BYTES,
                Chunks.CHUNK_BYTES,
                (short) 1,
                FILE_BUFFER_BYTES,
                false,
                0,
                DataChecksum.Type.CRC32C);
    }

    // ---- data

    /**
     * @param known an earlier answer about the file; if the file is closed, it saves the request
     * @param told length that the caller relies on, if the caller gave one
     */
    FSDataInputStream open(Path path, Optional<FileInfo> known, OptionalLong told) throws IOException {
        // If the mode does not let the caller read, the server decides: it knows who is a superuser.
        Optional<FileInfo> enough = known.filter(this::modeLetsRead);
        FileReader reader = read(
                StoreStatisticNames.OP_OPEN,
                path,
                target -> enough.isPresent()
                        ? fs.open(target, enough.get())
                        : told.isPresent() ? fs.openToldLength(target, told.getAsLong()) : fs.open(target));
        return new FSDataInputStream(new SteadInputStream(this, path.toString(), reader, joining, statistics));
    }

    private boolean modeLetsRead(FileInfo file) {
        int bits = user.equals(file.owner())
                ? file.mode() >> 6
                : groups.contains(file.group()) ? file.mode() >> 3 : file.mode();
        return (bits & READ) != 0;
    }

    /** The options of a new file, with the layout that the configuration asks for. */
    CreateOptions createOptions(
            Path path,
            FsPermission permission,
            boolean overwrite,
            boolean createParents,
            short replication,
            long blockBytes)
            throws IOException {
        if (blockBytes <= 0) {
            throw new IOException(path + ": block size " + blockBytes + ", a file needs one of its own");
        }
        checkReplication(path, replication);
        return new CreateOptions(
                permission.toShort() & MODE_BITS,
                overwrite,
                createParents,
                CreateOptions.AS_ABOVE,
                width,
                stripSize,
                blockBytes,
                replication);
    }

    private static void checkReplication(Path path, short replication) throws IOException {
        if (replication < 1 || replication > MOST_REPLICATION) {
            throw new IOException(
                    path + ": replication " + replication + ", 1 to " + MOST_REPLICATION + " copies can be asked for");
        }
    }

    FSDataOutputStream create(Path path, CreateOptions options) throws IOException {
        return stream(
                path,
                change(StoreStatisticNames.OP_CREATE, path, Purpose.MAKE_ENTRY, target -> fs.create(target, options)));
    }

    /** The stream's position begins at the file's length, as in HDFS. */
    FSDataOutputStream append(Path path) throws IOException {
        return stream(path, change(StoreStatisticNames.OP_APPEND, path, Purpose.APPEND, fs::append));
    }

    private FSDataOutputStream stream(Path path, FileWriter writer) {
        SteadOutputStream stream = new SteadOutputStream(path.toString(), writer, this::completed);
        writing.add(stream);
        return new FSDataOutputStream(stream, statistics, writer.position());
    }

    /** Returns when the truncate is done, so the result is always true. */
    boolean truncate(Path path, long length) throws IOException {
        checkOpen();
        if (length < 0) {
            throw new HadoopIllegalArgumentException("Cannot truncate " + path + " to a negative length: " + length);
        }
        return change(StoreStatisticNames.OP_TRUNCATE, path, Purpose.LOOK_UP, target -> {
            fs.truncate(target, length);
            return true;
        });
    }

    boolean recoverLease(Path path) throws IOException {
        return lease(path, () -> change("op_recover_lease", path, Purpose.LOOK_UP, fs::recoverLease));
    }

    boolean isFileClosed(Path path) throws IOException {
        return lease(path, () -> read("op_is_file_closed", path, fs::isFileClosed));
    }

    private interface LeaseQuestion {
        boolean ask() throws IOException;
    }

    /** If the path is no file, the error has HDFS's words. */
    private static boolean lease(Path path, LeaseQuestion question) throws IOException {
        try {
            return question.ask();
        } catch (FileNotFoundException e) {
            boolean directory =
                    e.getCause() instanceof FsException refused && refused.error() == FsError.IS_A_DIRECTORY;
            FileNotFoundException told =
                    new FileNotFoundException((directory ? "Path is not a file: " : "File does not exist: ") + path);
            told.initCause(e);
            throw told;
        }
    }

    private void completed(SteadOutputStream stream) {
        writing.remove(stream);
    }

    /** CRC of the whole file, from checksums that the servers store. For a part of the file, computed from its bytes. */
    FileChecksum checksum(Path path, long length) throws IOException {
        checkOpen();
        if (length < 0) {
            throw new HadoopIllegalArgumentException(path + ": a checksum of " + length + " bytes");
        }
        return read(StoreStatisticNames.OP_GET_FILE_CHECKSUM, path, target -> {
            try (FileReader reader = fs.openUnread(target)) {
                if (reader.info().open()) {
                    throw new FsException(FsError.FILE_OPEN, path + " is being written, and has no checksum yet");
                }
                int crc = length >= reader.length() ? reader.compositeCrc() : Crc.ofPrefix(reader, length);
                return new CompositeCrcFileChecksum(crc, DataChecksum.Type.CRC32C, Chunks.CHUNK_BYTES);
            }
        });
    }

    // ---- names

    void mkdirs(Path path, FsPermission permission, boolean createParents) throws IOException {
        change(
                StoreStatisticNames.OP_MKDIRS,
                path,
                Purpose.MAKE_ENTRY,
                target -> fs.mkdirs(target, permission.toShort() & MODE_BITS, createParents, false));
    }

    /** Returns false where nothing existed, and for the root, which stays. */
    boolean delete(Path path, boolean recursive) throws IOException {
        if (!isShortEnough(path)) {
            return false;
        }
        return change(StoreStatisticNames.OP_DELETE, path, Purpose.LOOK_UP, target -> {
            if (target.isRoot()) {
                if (!recursive && fs.list(target).hasNext()) {
                    throw new FsException(FsError.NOT_EMPTY, "the root directory is not empty, and stays");
                }
                return false;
            }
            try {
                fs.delete(target, recursive);
                return true;
            } catch (FsException e) {
                if (e.error() == FsError.NOT_FOUND || e.error() == FsError.NOT_A_DIRECTORY) {
                    return false;
                }
                throw e;
            }
        });
    }

    /** Whether a file can have this path. If it cannot, only because of its length, there is no such file. */
    private boolean isShortEnough(Path path) throws IOException {
        try {
            parse(path, Purpose.LOOK_UP);
            return true;
        } catch (FileNotFoundException e) {
            return false;
        }
    }

    /** As {@code mv}: into an existing directory, but onto nothing else that exists. Returns false where that is not possible. */
    boolean moveInto(Path source, Path target) throws IOException {
        if (!isShortEnough(source)) {
            return false;
        }
        FsPath to = PathNames.ofNew(target);
        return change(StoreStatisticNames.OP_RENAME, source, Purpose.MOVE, from -> {
            try {
                // Nothing moves if the source has that name already. Only a directory that is moved onto itself counts
                // as failure.
                return fs.rename(from, to, RenameMode.INTO_DIRECTORY)
                        || !from.equals(to)
                        || !fs.stat(from).directory();
            } catch (FsException e) {
                switch (e.error()) {
                    case NOT_FOUND, ALREADY_EXISTS, IS_A_DIRECTORY, NOT_EMPTY, INVALID_RENAME -> {
                        LOG.debug("rename of {} to {} returns false", source, target, e);
                        return false;
                    }
                    default -> throw e;
                }
            }
        });
    }

    /** Renames to exactly the target name. An existing target is replaced only if wanted. Every failure is an exception. */
    void renameTo(Path source, Path target, boolean overwrite) throws IOException {
        FsPath to = PathNames.ofNew(target);
        RenameMode mode = overwrite ? RenameMode.OVERWRITE : RenameMode.NO_REPLACE;
        boolean moved = change(StoreStatisticNames.OP_RENAME, source, Purpose.MOVE, from -> {
            try {
                return fs.rename(from, to, mode);
            } catch (FsException e) {
                if (e.error() == FsError.INVALID_RENAME && from.equals(to)) {
                    return false;
                }
                if (e.error() == FsError.NOT_A_DIRECTORY && isThere(from, true) && isThere(to, false)) {
                    // The target itself is in the way, not one of its parents.
                    throw new FsException(FsError.INVALID_RENAME, to + " is a file, " + from + " a directory", e);
                }
                throw e;
            }
        });
        if (!moved) {
            throw new FileAlreadyExistsException("The source " + source + " and the target are the same");
        }
    }

    private boolean isThere(FsPath path, boolean directory) throws FsException {
        return fs.find(path).map(found -> found.directory() == directory).orElse(false);
    }

    // ---- attributes

    void setPermission(Path path, FsPermission permission) throws IOException {
        setAttributes(
                StoreStatisticNames.OP_SET_PERMISSION, path, AttributeChange.mode(permission.toShort() & MODE_BITS));
    }

    void setOwner(Path path, @Nullable String owner, @Nullable String group) throws IOException {
        if (owner == null && group == null) {
            throw new IOException("neither a user nor a group is given for " + path);
        }
        setAttributes(
                StoreStatisticNames.OP_SET_OWNER,
                path,
                AttributeChange.owner(Optional.ofNullable(owner), Optional.ofNullable(group)));
    }

    /** Times in milliseconds since 1970. A negative time means that the attribute stays as it is. */
    void setTimes(Path path, long modificationTime, long accessTime) throws IOException {
        setAttributes(
                StoreStatisticNames.OP_SET_TIMES,
                path,
                AttributeChange.times(time(modificationTime), time(accessTime)));
    }

    /** Keeps the number in the file's attributes. Returns false, as HDFS does, if the path does not exist or is a directory. */
    boolean setReplication(Path path, short replication) throws IOException {
        checkReplication(path, replication);
        if (!isShortEnough(path)) {
            return false;
        }
        return change("op_set_replication", path, Purpose.LOOK_UP, target -> {
            try {
                fs.setAttributes(target, AttributeChange.replication(replication));
                return true;
            } catch (FsException e) {
                switch (e.error()) {
                    case NOT_FOUND, NOT_A_DIRECTORY, IS_A_DIRECTORY -> {
                        return false;
                    }
                    default -> throw e;
                }
            }
        });
    }

    private static OptionalLong time(long millis) {
        return millis < 0 ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    private void setAttributes(String operation, Path path, AttributeChange change) throws IOException {
        change(operation, path, Purpose.LOOK_UP, target -> fs.setAttributes(target, change));
    }

    void setXattr(Path path, String name, byte @Nullable [] value, Set<XAttrSetFlag> flags) throws IOException {
        String known = XattrNames.of(name);
        byte[] bytes = value == null ? new byte[0] : value;
        change("op_xattr_set", path, Purpose.LOOK_UP, target -> {
            fs.setXattr(
                    target, known, bytes, flags.contains(XAttrSetFlag.CREATE), flags.contains(XAttrSetFlag.REPLACE));
            return true;
        });
    }

    Map<String, byte[]> xattrs(Path path, Collection<String> names) throws IOException {
        List<String> known = names.stream().map(XattrNames::of).toList();
        return read(StoreStatisticNames.OP_XATTR_GET_MAP, path, target -> fs.getXattrs(target, known));
    }

    byte @Nullable [] xattr(Path path, String name) throws IOException {
        return xattrs(path, List.of(name)).get(XattrNames.of(name));
    }

    void removeXattr(Path path, String name) throws IOException {
        String known = XattrNames.of(name);
        change("op_xattr_remove", path, Purpose.LOOK_UP, target -> {
            fs.removeXattr(target, known);
            return true;
        });
    }

    // ---- the end

    /** Completes the files that are still being written, as HDFS does, and ends the client's session. */
    @Override
    public void close() throws IOException {
        closed = true;
        List<IOException> failures = new ArrayList<>();
        for (SteadOutputStream stream : writing) {
            try {
                stream.close();
            } catch (InterruptedIOException e) {
                failures.add(e);
                break;
            } catch (IOException e) {
                failures.add(e);
            }
        }
        fs.close();
        if (!failures.isEmpty()) {
            IOException first = failures.get(0);
            failures.subList(1, failures.size()).forEach(first::addSuppressed);
            throw first;
        }
    }
}
