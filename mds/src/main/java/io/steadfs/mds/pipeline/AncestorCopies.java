package io.steadfs.mds.pipeline;

import io.steadfs.handle.Handle;
import io.steadfs.partition.PartitionMap;
import java.util.Optional;

/**
 * Copies of directories that other shards own. Paths go through these directories. A copy that is given here may be
 * used now. That something does not exist is never copied.
 */
public interface AncestorCopies {
    AncestorCopies NONE = new AncestorCopies() {
        @Override
        public Optional<Handle> child(Handle directory, String name) {
            return Optional.empty();
        }

        @Override
        public Optional<Directory> directory(Handle directory) {
            return Optional.empty();
        }
    };

    /** Returns the directory to which the name leads; empty if there is no copy of the name. */
    Optional<Handle> child(Handle directory, String name);

    /** Returns who may pass the directory; empty if there is no copy of that. */
    Optional<Directory> directory(Handle directory);

    /**
     * Who may pass a directory.
     *
     * @param mode POSIX permission bits with sticky
     * @param partitions where its names are, if it has several partitions; a hint, which may be old
     * @param protocol the directory's hint that names a create protocol, if it has several partitions; else empty
     * @param maxShards the directory's hint on how many shards may have names of it, if it has several partitions; 0 =
     *     there is none
     */
    record Directory(
            int mode, String owner, String group, Optional<PartitionMap> partitions, String protocol, int maxShards) {}
}
