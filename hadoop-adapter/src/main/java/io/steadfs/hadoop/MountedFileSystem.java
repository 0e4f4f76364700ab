package io.steadfs.hadoop;

import io.steadfs.hadoop.HadoopErrors.Purpose;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.hadoop.fs.permission.FsCreateModes;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/**
 * Opens and closes the {@link Mount} of a Hadoop file system. This class also has the URI, the working directory and
 * the umask. Other methods of this class describe the file system and its servers.
 */
abstract class MountedFileSystem extends FileSystem {
    private final Connector connector;
    private @Nullable Mount mount;
    private URI uri = URI.create(HadoopSettings.SCHEME + ":///");
    private Path workingDirectory = new Path("/");

    MountedFileSystem(Connector connector) {
        this.connector = connector;
    }

    MountedFileSystem(URI uri, Mount mount) {
        this(Connector.NETWORK);
        this.uri = uri;
        this.mount = mount;
    }

    @Override
    public void initialize(URI name, Configuration conf) throws IOException {
        super.initialize(name, conf);
        setConf(conf);
        SymbolicLinks.enableIfWanted(conf);
        mount = new Mount(name, conf, connector, statistics);
        uri = URI.create(name.getScheme() + "://" + name.getAuthority());
        workingDirectory = getHomeDirectory();
    }

    /**
     * Makes the path absolute.
     *
     * @throws IllegalArgumentException if it is a path of another file system
     */
    final AbsolutePath absolute(Path path) {
        checkPath(path);
        return new AbsolutePath(uri, fixRelativePart(path));
    }

    /** @throws IOException if Hadoop has not initialized this file system yet */
    final Mount mount() throws IOException {
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

    /** Returns null, because SteadFS needs no delegation tokens. */
    @Override
    public @Nullable String getCanonicalServiceName() {
        return null;
    }

    @Override
    public Path getHomeDirectory() {
        return mount == null
                ? super.getHomeDirectory()
                : makeQualified(new Path(USER_HOME_PREFIX + "/" + mount.user().name()));
    }

    @Override
    public Path getWorkingDirectory() {
        return workingDirectory;
    }

    @Override
    public void setWorkingDirectory(Path directory) {
        Path absolute = fixRelativePart(directory);
        try {
            PathNames.of(new AbsolutePath(uri, absolute), Purpose.LOOK_UP);
        } catch (FileNotFoundException e) {
            LOG.debug("nothing can be in {}", absolute, e);
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        workingDirectory = absolute;
    }

    /**
     * Removes the bits of {@code fs.permissions.umask-mode} from the permission of a new file. A permission that Hadoop
     * has masked already stays as it is.
     *
     * @param permission permission before the umask; null = Hadoop's default for files
     */
    final FsPermission masked(@Nullable FsPermission permission) {
        FsPermission unmasked = permission == null ? FsPermission.getFileDefault() : permission;
        return FsCreateModes.applyUMask(unmasked, FsPermission.getUMask(getConf()));
    }

    @Override
    public FsStatus getStatus(@Nullable Path path) throws IOException {
        return mount().servers().space();
    }

    @Override
    @Deprecated
    public FsServerDefaults getServerDefaults() throws IOException {
        return mount().servers().defaults();
    }

    @Override
    public FsServerDefaults getServerDefaults(Path path) throws IOException {
        return mount().servers().defaults();
    }

    @Override
    @Deprecated
    public long getDefaultBlockSize() {
        try {
            return mount().servers().defaultBlockSize();
        } catch (IOException e) {
            // The next call of the same caller reports the error.
            LOG.debug("the block size of {} is unknown, so 128 MiB is used", uri, e);
            return 128L << 20;
        }
    }

    @Override
    public long getDefaultBlockSize(Path path) {
        return getDefaultBlockSize();
    }

    /** Does nothing. Every reader can already see every acknowledged change. */
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
                    CommonPathCapabilities.FS_SYMLINKS,
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

    @Override
    public void close() throws IOException {
        Mount open = mount;
        if (open == null || open.isClosed()) {
            return;
        }
        try {
            // The inherited method deletes the paths that a program has passed to deleteOnExit.
            super.close();
        } finally {
            open.close();
        }
    }
}
