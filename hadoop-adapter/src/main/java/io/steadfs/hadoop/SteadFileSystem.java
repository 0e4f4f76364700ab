package io.steadfs.hadoop;

import io.steadfs.client.list.FileInfo;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.impl.AbstractFSBuilderImpl;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsCreateModes;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.LambdaUtils;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * SteadFS behind Hadoop's {@link FileSystem}. The URI is {@code stead://host:port/} with any metadata server, or {@code stead://name/} with
 * {@code fs.stead.name.servers}. Where HDFS differs from the interface's description, this class does what HDFS does. One instance has one
 * client, which acts for the user that initialized it.
 *
 * <p>{@code concat}, links, snapshots and ACLs are not offered.
 */
public class SteadFileSystem extends FileSystem implements LeaseRecoverable {
    static {
        // The service loader makes this class known to FileSystem. AbstractFileSystem finds its class only by the
        // configuration.
        Configuration.addDefaultResource("steadfs-default.xml");
    }

    private final Connector connector;
    private @Nullable Mount mount;
    private URI uri = URI.create(HadoopSettings.SCHEME + ":///");
    private Path workingDirectory = new Path("/");

    /** Called by Hadoop, which calls {@link #initialize} next. */
    public SteadFileSystem() {
        this(Connector.NETWORK);
    }

    SteadFileSystem(Connector connector) {
        this.connector = connector;
    }

    @Override
    public void initialize(URI name, Configuration conf) throws IOException {
        super.initialize(name, conf);
        setConf(conf);
        mount = new Mount(name, conf, connector, statistics);
        uri = URI.create(name.getScheme() + "://" + name.getAuthority());
        workingDirectory = getHomeDirectory();
    }

    private Mount mount() throws IOException {
        if (mount == null) {
            throw new IOException("file system " + uri + " is not initialized");
        }
        return mount;
    }

    @Override
    public String getScheme() {
        return HadoopSettings.SCHEME;
    }

    @Override
    public URI getUri() {
        return uri;
    }

    @Override
    protected int getDefaultPort() {
        return HadoopSettings.DEFAULT_PORT;
    }

    /** No tokens are needed, so there is no service to get them from. */
    @Override
    public @Nullable String getCanonicalServiceName() {
        return null;
    }

    @Override
    public Path getHomeDirectory() {
        return mount == null
                ? super.getHomeDirectory()
                : makeQualified(new Path(USER_HOME_PREFIX + "/" + mount.user()));
    }

    @Override
    public Path getWorkingDirectory() {
        return workingDirectory;
    }

    @Override
    public void setWorkingDirectory(Path directory) {
        Path absolute = fixRelativePart(directory);
        try {
            PathNames.of(absolute, HadoopErrors.Purpose.LOOK_UP);
        } catch (FileNotFoundException e) {
            LOG.debug("nothing can be in {}", absolute, e);
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        workingDirectory = absolute;
    }

    // ---- data

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        return mount().open(makeQualified(path), Optional.empty(), OptionalLong.empty());
    }

    /**
     * If the status came from this file system and the file is closed, the status saves the request. Lengths, buffer sizes and read
     * policies are accepted. The client needs none of them, because it sees how a file is read.
     */
    @Override
    protected CompletableFuture<FSDataInputStream> openFileWithOptions(Path path, OpenFileParameters parameters)
            throws IOException {
        AbstractFSBuilderImpl.rejectUnknownMandatoryKeys(
                parameters.getMandatoryKeys(),
                Options.OpenFileOptions.FS_OPTION_OPENFILE_STANDARD_OPTIONS,
                "for " + path);
        FileStatus status = parameters.getStatus();
        if (status != null && !status.getPath().getName().equals(path.getName())) {
            throw new IllegalArgumentException("status of " + status.getPath() + " given to open " + path);
        }
        Optional<FileInfo> known = status instanceof SteadFileStatus ours ? ours.readable() : Optional.empty();
        OptionalLong most = ToldLength.of(parameters.getOptions());
        return LambdaUtils.eval(new CompletableFuture<>(), () -> mount().open(makeQualified(path), known, most));
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
        return create(path, permission, overwrite, true, replication, blockSize);
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress,
            Options.@Nullable ChecksumOpt checksum)
            throws IOException {
        return create(path, permission, flags, true, replication, blockSize);
    }

    @Override
    public FSDataOutputStream createNonRecursive(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress)
            throws IOException {
        return create(path, permission, flags, false, replication, blockSize);
    }

    private FSDataOutputStream create(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            boolean createParents,
            short replication,
            long blockSize)
            throws IOException {
        // First, so that a path of another file system is reported.
        Path target = makeQualified(path);
        CreateFlags wanted = CreateFlags.of(flags, () -> exists(target), target);
        return wanted == CreateFlags.APPEND
                ? mount().append(makeQualified(path))
                : create(path, permission, wanted == CreateFlags.REPLACE, createParents, replication, blockSize);
    }

    private FSDataOutputStream create(
            Path path,
            @Nullable FsPermission permission,
            boolean overwrite,
            boolean createParents,
            short replication,
            long blockSize)
            throws IOException {
        FsPermission file = masked(permission == null ? FsPermission.getFileDefault() : permission);
        return mount().create(
                        makeQualified(path),
                        mount().createOptions(
                                        makeQualified(path), file, overwrite, createParents, replication, blockSize));
    }

    /** Permission bits without those of {@code fs.permissions.umask-mode}, unless the mask was applied already. */
    private FsPermission masked(FsPermission permission) {
        return FsCreateModes.applyUMask(permission, FsPermission.getUMask(getConf()));
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
        // First, so that a path of another file system is reported.
        Path target = makeQualified(path);
        CreateFlags wanted = CreateFlags.of(flags, () -> exists(target), target);
        if (wanted == CreateFlags.APPEND) {
            return mount().append(makeQualified(path));
        }
        boolean overwrite = wanted == CreateFlags.REPLACE;
        return mount().create(
                        makeQualified(path),
                        mount().createOptions(
                                        makeQualified(path),
                                        absolutePermission,
                                        overwrite,
                                        true,
                                        replication,
                                        blockSize));
    }

    @Override
    public FSDataOutputStreamBuilder<?, ?> createFile(Path path) {
        return new FileBuilder(this, makeQualified(path)).create().overwrite(true);
    }

    /** Called by the builder, which has checked the options. */
    FSDataOutputStream create(Path path, FileBuilder.Choice choice) throws IOException {
        FsPermission file = masked(choice.permission());
        CreateFlags wanted = CreateFlags.of(choice.flags(), () -> exists(path), path);
        if (wanted == CreateFlags.APPEND) {
            return mount().append(path);
        }
        boolean overwrite = wanted == CreateFlags.REPLACE;
        var options = mount().createOptions(
                        path, file, overwrite, choice.recursive(), choice.replication(), choice.blockSize());
        return mount().create(
                        path,
                        options.withLayout(
                                choice.width() > 0 ? choice.width() : options.width(),
                                choice.stripSize() > 0 ? choice.stripSize() : options.stripSize()));
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferSize, @Nullable Progressable progress) throws IOException {
        return mount().append(makeQualified(path));
    }

    /** Returns when the truncate is done, so the result is always true. */
    @Override
    public boolean truncate(Path path, long newLength) throws IOException {
        return mount().truncate(makeQualified(path), newLength);
    }

    @Override
    public boolean recoverLease(Path path) throws IOException {
        return mount().recoverLease(makeQualified(path));
    }

    @Override
    public boolean isFileClosed(Path path) throws IOException {
        return mount().isFileClosed(makeQualified(path));
    }

    @Override
    public FileChecksum getFileChecksum(Path path) throws IOException {
        return mount().checksum(makeQualified(path), Long.MAX_VALUE);
    }

    @Override
    public FileChecksum getFileChecksum(Path path, long length) throws IOException {
        return mount().checksum(makeQualified(path), length);
    }

    // ---- names

    @Override
    public boolean mkdirs(Path path, FsPermission permission) throws IOException {
        mount().mkdirs(makeQualified(path), masked(permission), true);
        return true;
    }

    @Override
    @SuppressWarnings("deprecation")
    protected boolean primitiveMkdir(Path path, FsPermission absolutePermission) throws IOException {
        mount().mkdirs(makeQualified(path), absolutePermission, true);
        return true;
    }

    @Override
    @SuppressWarnings("deprecation")
    protected void primitiveMkdir(Path path, FsPermission absolutePermission, boolean createParent) throws IOException {
        mount().mkdirs(makeQualified(path), absolutePermission, createParent);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        return mount().delete(makeQualified(path), recursive);
    }

    @Override
    public boolean rename(Path source, Path target) throws IOException {
        return mount().moveInto(makeQualified(source), makeQualified(target));
    }

    /** One atomic request, unlike the inherited method, which deletes the target before it moves the source. */
    @Override
    @SuppressWarnings("deprecation")
    public void rename(Path source, Path target, Options.Rename... options) throws IOException {
        boolean overwrite = List.of(options).contains(Options.Rename.OVERWRITE);
        mount().renameTo(makeQualified(source), makeQualified(target), overwrite);
    }

    // ---- looking

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return mount().status(makeQualified(path));
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return mount().exists(makeQualified(path));
    }

    @Override
    public void access(Path path, FsAction action) throws IOException {
        mount().access(makeQualified(path), action);
    }

    /** Sorted by name; every status is a {@link LocatedFileStatus}. */
    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return mount().list(makeQualified(path));
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
        return widen(mount().listPaged(makeQualified(path)));
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
        return widen(mount().listPaged(makeQualified(path)));
    }

    @Override
    public FileStatus @Nullable [] globStatus(Path pattern) throws IOException {
        return globStatus(pattern, path -> true);
    }

    @Override
    public FileStatus @Nullable [] globStatus(Path pattern, PathFilter filter) throws IOException {
        try {
            return super.globStatus(pattern, filter);
        } catch (IllegalArgumentException e) {
            if (!(e.getCause() instanceof URISyntaxException)) {
                throw e;
            }
            LOG.debug("{} meets a name with a colon", pattern, e);
            return new ColonGlob(this).find(pattern, filter);
        }
    }

    /** Walked by the servers, and in their order. */
    @Override
    public RemoteIterator<LocatedFileStatus> listFiles(Path path, boolean recursive) throws IOException {
        return widen(mount().listFiles(makeQualified(path), recursive));
    }

    /** An iterator only returns elements, so an iterator of a subclass will do. */
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
        return mount().blocks(makeQualified(file.getPath()), file, start, length);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path path, long start, long length) throws IOException {
        return mount().blocks(makeQualified(path), null, start, length);
    }

    @Override
    public ContentSummary getContentSummary(Path path) throws IOException {
        return mount().contentSummary(makeQualified(path));
    }

    @Override
    public FsStatus getStatus(@Nullable Path path) throws IOException {
        return mount().space();
    }

    @Override
    @Deprecated
    public FsServerDefaults getServerDefaults() throws IOException {
        return mount().serverDefaults();
    }

    @Override
    public FsServerDefaults getServerDefaults(Path path) throws IOException {
        return mount().serverDefaults();
    }

    @Override
    @Deprecated
    public long getDefaultBlockSize() {
        try {
            return mount().defaultBlockSize();
        } catch (IOException e) {
            // The caller goes on to call a method that reports the error.
            LOG.debug("block size of {} is not known, 128 MiB is taken", uri, e);
            return 128L << 20;
        }
    }

    @Override
    public long getDefaultBlockSize(Path path) {
        return getDefaultBlockSize();
    }

    /** Every change is visible to every reader when it is acknowledged: there is nothing to wait for. */
    @Override
    public void msync() {}

    @Override
    public StorageStatistics getStorageStatistics() {
        return mount == null ? super.getStorageStatistics() : mount.counts();
    }

    @Override
    public boolean hasPathCapability(@Nullable Path path, @Nullable String capability) {
        if (path == null || capability == null) {
            return false;
        }
        switch (capability.toLowerCase(java.util.Locale.ROOT)) {
            case CommonPathCapabilities.FS_PERMISSIONS,
                    CommonPathCapabilities.FS_XATTRS,
                    CommonPathCapabilities.FS_CHECKSUMS,
                    CommonPathCapabilities.FS_APPEND,
                    CommonPathCapabilities.FS_TRUNCATE,
                    CommonPathCapabilities.LEASE_RECOVERABLE -> {
                return true;
            }
            default -> {
                try {
                    return super.hasPathCapability(path, capability);
                } catch (IOException | RuntimeException e) {
                    LOG.debug("capability {} of {}", capability, path, e);
                    return false;
                }
            }
        }
    }

    // ---- attributes

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
        mount().setPermission(makeQualified(path), permission);
    }

    @Override
    public void setOwner(Path path, @Nullable String user, @Nullable String group) throws IOException {
        mount().setOwner(makeQualified(path), user, group);
    }

    @Override
    public void setTimes(Path path, long modificationTime, long accessTime) throws IOException {
        mount().setTimes(makeQualified(path), modificationTime, accessTime);
    }

    /** Keeps the number that was asked for, and shows it as the file's replication. There is one copy of each file. */
    @Override
    public boolean setReplication(Path path, short replication) throws IOException {
        return mount().setReplication(makeQualified(path), replication);
    }

    @Override
    public void setXAttr(Path path, String name, byte @Nullable [] value, EnumSet<XAttrSetFlag> flags)
            throws IOException {
        mount().setXattr(makeQualified(path), name, value, flags);
    }

    @Override
    public byte @Nullable [] getXAttr(Path path, String name) throws IOException {
        return mount().xattr(makeQualified(path), name);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        return mount().xattrs(makeQualified(path), List.of());
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        return mount().xattrs(makeQualified(path), names);
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return new ArrayList<>(getXAttrs(path).keySet());
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        mount().removeXattr(makeQualified(path), name);
    }

    @Override
    public void close() throws IOException {
        Mount open = mount;
        if (open == null || open.isClosed()) {
            return;
        }
        try {
            // Deletes the paths given to deleteOnExit.
            super.close();
        } finally {
            open.close();
        }
    }
}
