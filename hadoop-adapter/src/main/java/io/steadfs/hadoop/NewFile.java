package io.steadfs.hadoop;

import io.steadfs.client.create.CreateOptions;
import java.io.IOException;
import java.util.EnumSet;
import java.util.function.Supplier;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The properties that a caller of Hadoop's API wants of a new file.
 *
 * @param permission gives the permission of the file, after the umask; called only if a file is made
 * @param blockSize block size in bytes
 * @param width number of columns; 0 = the configuration decides
 * @param stripSize strip size in bytes; 0 = the configuration decides
 */
record NewFile(
        Supplier<FsPermission> permission,
        EnumSet<CreateFlag> flags,
        boolean createParents,
        short replication,
        long blockSize,
        int width,
        int stripSize) {
    /** Makes the properties of a file whose layout the configuration decides. */
    NewFile(
            Supplier<FsPermission> permission,
            EnumSet<CreateFlag> flags,
            boolean createParents,
            short replication,
            long blockSize) {
        this(permission, flags, createParents, replication, blockSize, 0, 0);
    }

    /**
     * The options of the request that creates the file.
     *
     * @throws IOException if the block size or the replication is out of range
     */
    CreateOptions options(AbsolutePath path, boolean overwrite, MountOptions configured) throws IOException {
        if (blockSize <= 0) {
            throw new IOException(path + ": block size " + blockSize + ", a file needs one of its own");
        }
        Replication.check(path, replication);
        return new CreateOptions(
                Modes.of(permission.get()),
                overwrite,
                createParents,
                CreateOptions.AS_ABOVE,
                width > 0 ? width : configured.width(),
                stripSize > 0 ? stripSize : configured.stripSize(),
                blockSize,
                replication);
    }
}
