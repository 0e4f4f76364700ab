package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.mds.pipeline.AncestorCopies;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.store.ReadView;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Over which shards the names of a directory may be spread. A shard that is joining gets no names yet. */
public final class SpreadShards {
    private SpreadShards() {}

    /**
     * How many shards may have names of the directory that users see. If another shard has it, that shard must have given a
     * copy.
     */
    public static int of(Handle directory, Context context) {
        int hint = context.owns(directory)
                ? hint(directory, context.view())
                : context.inputs()
                        .copies()
                        .directory(directory)
                        .map(AncestorCopies.Directory::maxShards)
                        .orElse(0);
        int all = context.shards().serving();
        return hint == 0 ? all : Math.min(all, hint);
    }

    /** The hint of a directory of this shard on how many shards may have names of it; 0 if it has none. */
    public static int hint(Handle directory, ReadView view) {
        Optional<byte[]> hint = Xattrs.find(view, directory, DirectoryHints.MAX_SHARDS);
        try {
            return hint.isEmpty()
                    ? 0
                    : (int) Math.min(
                            FileSystemFormat.MAX_SHARDS,
                            DirectoryHints.parse(new String(hint.get(), StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException e) {
            // It is of an earlier release, which did not look at it.
            return 0;
        }
    }

    /**
     * The shard of a partition, as in Giga+.
     *
     * @param home the shard of the directory
     * @param shards how many shards may have names of the directory
     * @param all number of all shards that serve
     */
    public static int ofPartition(int number, int home, int shards, int all) {
        return (home + number % shards) % all;
    }
}
