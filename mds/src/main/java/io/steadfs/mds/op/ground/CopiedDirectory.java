package io.steadfs.mds.op.ground;

import io.steadfs.mds.pipeline.AncestorCopies;

/** Who may pass a directory of another shard, from a copy of its row. */
record CopiedDirectory(AncestorCopies.Directory row) implements Guarded {
    @Override
    public int mode() {
        return row.mode();
    }

    @Override
    public String owner() {
        return row.owner();
    }

    @Override
    public String group() {
        return row.group();
    }
}
