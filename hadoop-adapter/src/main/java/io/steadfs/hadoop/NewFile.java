package io.steadfs.hadoop;

import io.steadfs.client.create.CreateOptions;
import java.io.IOException;
import java.util.EnumSet;
import java.util.function.Supplier;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * What a caller of Hadoop asks for when it makes a file.
 *
 * @param permission gives the bits without those that the umask takes; asked only if a file is made
 * @param blockSize bytes
 * @param width columns; 0 = the configuration decides
 * @param stripSize bytes; 0 = the configuration decides
 */
record NewFile(
        Supplier<FsPermission> permission,
        EnumSet<CreateFlag> flags,
        boolean createParents,
        short replication,
        long blockSize,
        int width,
        int stripSize) {
    /** A new file whose layout is left to the configuration. */
    NewFile(
            Supplier<FsPermission> permission,
            EnumSet<CreateFlag> flags,
            boolean createParents,
            short replication,
            long blockSize) {
        this(permission, flags, createParents, replication, blockSize, 0, 0);
    }

    /**
     * The options of the request.
     *
     * @throws IOException if no file can have this block size or replication
     */
    CreateOptions options(Path path, boolean overwrite, MountOptions configured) throws IOException {
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
