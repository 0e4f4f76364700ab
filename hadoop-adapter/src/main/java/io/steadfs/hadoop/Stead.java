package io.steadfs.hadoop;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
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
 * Offers SteadFS as Hadoop's {@link AbstractFileSystem}, for {@code FileContext}. {@link SteadFileSystem} has the
 * operations. The configuration key {@code fs.AbstractFileSystem.stead.impl} names this class. The jar of SteadFS sets
 * {@code fs.AbstractFileSystem.stead.impl} once a program has used any {@code FileSystem} of Hadoop.
 *
 * <p>A program cannot close a {@code FileContext}. Hadoop makes a new instance of this class for each {@code
 * FileContext}. So instances with the same user, cluster and configuration share a mount. The mount is closed once no
 * object refers to the instances or their streams.
 */
public class Stead extends AbstractFileSystem {
    private final URI uri;
    private final boolean named;
    private final SteadFileSystem files;

    /** Hadoop calls this constructor by reflection, and finds the constructor by its parameters. */
    public Stead(URI uri, Configuration conf) throws IOException, URISyntaxException {
        this(uri, conf, Connector.NETWORK);
    }

    Stead(URI uri, Configuration conf, Connector connector) throws IOException, URISyntaxException {
        // A URI with the name of a cluster has no port. Hadoop must not add a port to such a URI.
        super(
                uri,
                HadoopSettings.SCHEME,
                !HadoopSettings.isNamed(uri, conf),
                HadoopSettings.isNamed(uri, conf) ? -1 : HadoopSettings.DEFAULT_PORT);
        this.named = HadoopSettings.isNamed(uri, conf);
        this.uri = named ? URI.create(HadoopSettings.SCHEME + "://" + uri.getAuthority()) : super.getUri();
        SymbolicLinks.enableIfWanted(conf);
        this.files = new SteadFileSystem(this.uri, SharedMounts.share(this.uri, conf, connector, statistics));
    }

    @Override
    public URI getUri() {
        return uri;
    }

    @Override
    public int getUriDefaultPort() {
        return named ? -1 : HadoopSettings.DEFAULT_PORT;
    }

    /** Always returns true. An operation on an invalid name refuses the name. */
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
        return files.getServerDefaults(new Path(Path.SEPARATOR));
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
        return files.create(
                makeQualified(path),
                new NewFile(() -> absolutePermission, flags, createParent, replication, blockSize));
    }

    /** Always returns true, because the truncate is complete when this method returns. */
    @Override
    public boolean truncate(Path path, long newLength) throws IOException {
        return files.truncate(makeQualified(path), newLength);
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        return files.open(makeQualified(path), bufferSize);
    }

    @Override
    public void mkdir(Path path, FsPermission permission, boolean createParent) throws IOException {
        files.primitiveMkdir(makeQualified(path), permission, createParent);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        return files.delete(makeQualified(path), recursive);
    }

    @Override
    public void renameInternal(Path source, Path target) throws IOException {
        renameInternal(source, target, false);
    }

    /** Renames by one atomic request. The inherited method sends several requests. */
    @Override
    public void renameInternal(Path source, Path target, boolean overwrite) throws IOException {
        files.rename(
                makeQualified(source),
                makeQualified(target),
                overwrite ? Options.Rename.OVERWRITE : Options.Rename.NONE);
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        return files.getFileStatus(makeQualified(path));
    }

    @Override
    public boolean supportsSymlinks() {
        return true;
    }

    @Override
    public void createSymlink(Path target, Path link, boolean createParent) throws IOException {
        files.createSymlink(target, makeQualified(link), createParent);
    }

    /** The target of a symbolic link is as its maker wrote it. Hadoop adds scheme and authority. */
    @Override
    public FileStatus getFileLinkStatus(Path path) throws IOException {
        return files.linkStatus(makeQualified(path));
    }

    @Override
    public Path getLinkTarget(Path path) throws IOException {
        return files.getLinkTarget(makeQualified(path));
    }

    @Override
    public void access(Path path, FsAction action) throws IOException {
        files.access(makeQualified(path), action);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        return files.listStatus(makeQualified(path));
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
        return files.listStatusIterator(makeQualified(path));
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
        return files.listLocatedStatus(makeQualified(path));
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path path, long start, long length) throws IOException {
        return files.getFileBlockLocations(makeQualified(path), start, length);
    }

    @Override
    public FsStatus getFsStatus() throws IOException {
        return files.getStatus();
    }

    @Override
    public FileChecksum getFileChecksum(Path path) throws IOException {
        return files.getFileChecksum(makeQualified(path));
    }

    /** Does nothing, because the client always checks the checksums of the bytes that a caller reads. */
    @Override
    public void setVerifyChecksum(boolean verifyChecksum) {}

    @Override
    public void msync() {}

    @Override
    public boolean setReplication(Path path, short replication) throws IOException {
        return files.setReplication(makeQualified(path), replication);
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
        files.setPermission(makeQualified(path), permission);
    }

    @Override
    public void setOwner(Path path, @Nullable String user, @Nullable String group) throws IOException {
        files.setOwner(makeQualified(path), user, group);
    }

    @Override
    public void setTimes(Path path, long modificationTime, long accessTime) throws IOException {
        files.setTimes(makeQualified(path), modificationTime, accessTime);
    }

    @Override
    public void setXAttr(Path path, String name, byte @Nullable [] value, EnumSet<XAttrSetFlag> flags)
            throws IOException {
        files.setXAttr(makeQualified(path), name, value, flags);
    }

    @Override
    public byte @Nullable [] getXAttr(Path path, String name) throws IOException {
        return files.getXAttr(makeQualified(path), name);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        return files.getXAttrs(makeQualified(path));
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        return files.getXAttrs(makeQualified(path), names);
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return files.listXAttrs(makeQualified(path));
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        files.removeXAttr(makeQualified(path), name);
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
                            CommonPathCapabilities.FS_SYMLINKS,
                            CommonPathCapabilities.FS_TRUNCATE -> true;
                    default -> false;
                };
    }
}
