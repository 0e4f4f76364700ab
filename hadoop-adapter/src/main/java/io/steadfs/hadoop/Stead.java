package io.steadfs.hadoop;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * SteadFS behind Hadoop's {@link AbstractFileSystem}, for {@code FileContext}. The configuration key
 * {@code fs.AbstractFileSystem.stead.impl} names this class. The jar sets the key as soon as any {@code FileSystem} was used.
 *
 * <p>A {@code FileContext} cannot be closed, and Hadoop makes a new instance for each. So instances of one user, cluster and configuration
 * share a mount. The mount ends when the last of them and its streams are no longer referred to.
 */
public class Stead extends AbstractFileSystem {
    private final URI uri;
    private final boolean named;
    private final Mount mount;

    /** Called by Hadoop, which finds the constructor by its parameters. */
    public Stead(URI uri, Configuration conf) throws IOException, URISyntaxException {
        this(uri, conf, Connector.NETWORK);
    }

    Stead(URI uri, Configuration conf, Connector connector) throws IOException, URISyntaxException {
        // The name of a cluster has no port, and must not be given one.
        super(
                uri,
                HadoopSettings.SCHEME,
                !HadoopSettings.isNamed(uri, conf),
                HadoopSettings.isNamed(uri, conf) ? -1 : HadoopSettings.DEFAULT_PORT);
        this.named = HadoopSettings.isNamed(uri, conf);
        this.uri = named ? URI.create(HadoopSettings.SCHEME + "://" + uri.getAuthority()) : super.getUri();
        this.mount = SharedMounts.share(this.uri, conf, connector, statistics);
    }

    @Override
    public URI getUri() {
        return uri;
    }

    @Override
    public int getUriDefaultPort() {
        return named ? -1 : HadoopSettings.DEFAULT_PORT;
    }

    /** An invalid name is refused where it is used. */
    @Override
    public boolean isValidName(String path) {
        return true;
    }

    @Override
    public @Nullable String getCanonicalServiceName() {
        return null;
    }

    @Override
    @Deprecated
    public FsServerDefaults getServerDefaults() throws IOException {
        return mount.serverDefaults();
    }

    @Override
    public FSDataOutputStream createInternal(
            Path path,
            EnumSet<CreateFlag> flags,
            FsPermission absolutePermission,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress,
            Options.@Nullable ChecksumOpt checksum,
            boolean createParent)
            throws IOException {
        Path target = makeQualified(path);
        CreateFlags wanted = CreateFlags.of(flags, () -> mount.exists(target), target);
        if (wanted == CreateFlags.APPEND) {
            return mount.append(target);
        }
        boolean overwrite = wanted == CreateFlags.REPLACE;
        return mount.create(
                target,
                mount.createOptions(target, absolutePermission, overwrite, createParent, replication, blockSize));
    }

    /** Returns when the truncate is done, so the result is always true. */
    @Override
    public boolean truncate(Path path, long newLength) throws IOException {
        return mount.truncate(makeQualified(path), newLength);
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        return mount.open(makeQualified(path), Optional.empty(), OptionalLong.empty());
    }

    @Override
    public void mkdir(Path path, FsPermission permission, boolean createParent) throws IOException {
        mount.mkdirs(makeQualified(path), permission, createParent);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        return mount.delete(makeQualified(path), recursive);
    }

    @Override
    public void renameInternal(Path source, Path target) throws IOException {
        renameInternal(source, target, false);
    }

    /** One atomic request, unlike the inherited method. */
    @Override
    public void renameInternal(Path source, Path target, boolean overwrite) throws IOException {
        mount.renameTo(makeQualified(source), makeQualified(target), overwrite);
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return mount.status(makeQualified(path));
    }

    @Override
    public void access(Path path, FsAction action) throws IOException {
        mount.access(makeQualified(path), action);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return mount.list(makeQualified(path));
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
        return SteadFileSystem.widen(mount.listPaged(makeQualified(path)));
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
        return SteadFileSystem.widen(mount.listPaged(makeQualified(path)));
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path path, long start, long length) throws IOException {
        return mount.blocks(makeQualified(path), null, start, length);
    }

    @Override
    public FsStatus getFsStatus() throws IOException {
        return mount.space();
    }

    @Override
    public FileChecksum getFileChecksum(Path path) throws IOException {
        return mount.checksum(makeQualified(path), Long.MAX_VALUE);
    }

    /** Checksums are always compared. */
    @Override
    public void setVerifyChecksum(boolean verifyChecksum) {}

    @Override
    public void msync() {}

    @Override
    public boolean setReplication(Path path, short replication) throws IOException {
        return mount.setReplication(makeQualified(path), replication);
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
        mount.setPermission(makeQualified(path), permission);
    }

    @Override
    public void setOwner(Path path, @Nullable String user, @Nullable String group) throws IOException {
        mount.setOwner(makeQualified(path), user, group);
    }

    @Override
    public void setTimes(Path path, long modificationTime, long accessTime) throws IOException {
        mount.setTimes(makeQualified(path), modificationTime, accessTime);
    }

    @Override
    public void setXAttr(Path path, String name, byte @Nullable [] value, EnumSet<XAttrSetFlag> flags)
            throws IOException {
        mount.setXattr(makeQualified(path), name, value, flags);
    }

    @Override
    public byte @Nullable [] getXAttr(Path path, String name) throws IOException {
        return mount.xattr(makeQualified(path), name);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        return mount.xattrs(makeQualified(path), List.of());
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        return mount.xattrs(makeQualified(path), names);
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return new ArrayList<>(getXAttrs(path).keySet());
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        mount.removeXattr(makeQualified(path), name);
    }

    @Override
    public boolean hasPathCapability(@Nullable Path path, @Nullable String capability) {
        return path != null
                && capability != null
                && switch (capability.toLowerCase(java.util.Locale.ROOT)) {
                    case CommonPathCapabilities.FS_PERMISSIONS,
                            CommonPathCapabilities.FS_XATTRS,
                            CommonPathCapabilities.FS_CHECKSUMS,
                            CommonPathCapabilities.FS_APPEND,
                            CommonPathCapabilities.FS_TRUNCATE -> true;
                    default -> false;
                };
    }
}
