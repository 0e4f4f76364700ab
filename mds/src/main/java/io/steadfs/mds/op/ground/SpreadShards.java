package io.steadfs.mds.op.ground;

import io.steadfs.layout.DirectoryHints;
import io.steadfs.mds.xattr.Xattrs;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Over which shards the names of a directory may be spread. A shard that is joining gets no names yet. */
public final class SpreadShards {
    private SpreadShards() {}

    /** How many shards may have names of a directory, or of the directory of which it is a partition. */
    public static int of(DirectoryNode directory, Context context) {
        int all = context.shards().serving();
        if (directory.row().hasPartOf()) {
            int most = directory.row().getPartOf().getShards();
            return most == 0 ? all : Math.min(all, most);
        }
        Optional<byte[]> hint = directory.row().getXattrs() == 0
                ? Optional.empty()
                : Xattrs.find(context.view(), directory.handle(), DirectoryHints.MAX_SHARDS);
        try {
            return hint.isEmpty()
                    ? all
                    : (int) Math.min(all, DirectoryHints.parse(new String(hint.get(), StandardCharsets.UTF_8)));
        } catch (IllegalArgumentException e) {
            // It is of an earlier release, which did not look at it.
            return all;
        }
    }

    /**
     * The shard of a partition, as in Giga+.
     *
     * @param home the shard of the directory
     * @param shards how many shards may have names of the directory
     */
    public static int ofPartition(int number, int home, int shards, Context context) {
        return (home + number % shards) % context.shards().serving();
    }
}
