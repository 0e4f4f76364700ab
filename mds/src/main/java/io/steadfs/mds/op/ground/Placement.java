package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.partition.NameHash;
import java.nio.charset.StandardCharsets;

/**
 * Chooses the shard of a new directory. A deep directory is on the shard of its parent, so that a walk stays on one
 * shard. Near the root, a hash chooses the shard, so that whole trees are distributed over the shards.
 *
 * @param spreadDepth greatest depth at which a hash chooses the shard; the root is at depth 0
 */
public record Placement(int spreadDepth) {
    public Placement {
        if (spreadDepth < 0) {
            throw new IllegalArgumentException("spread depth " + spreadDepth);
        }
    }

    /** @param depth depth of the new directory; 1 = directly below the root */
    public int shardOf(Handle parent, String name, int depth, int shards) {
        if (shards <= 1 || depth > spreadDepth) {
            return parent.shard();
        }
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        byte[] hashed = new byte[Long.BYTES + utf8.length];
        Keys.putLong(hashed, 0, parent.value());
        System.arraycopy(utf8, 0, hashed, Long.BYTES, utf8.length);
        return (int) Long.remainderUnsigned(NameHash.of(hashed, 0, hashed.length), shards);
    }
}
