package io.steadfs.mds.op;

import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.store.ReadView;

/** The first command of a shard's process: makes the root directory where there is none yet. Answers whether it did. */
public final class StartShard extends InternalCommand<Boolean> {
    private final String superuser;
    private final String supergroup;

    public StartShard(String superuser, String supergroup) {
        this.superuser = superuser;
        this.supergroup = supergroup;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        return RootDirectory.decide(superuser, supergroup, view, inputs);
    }
}
