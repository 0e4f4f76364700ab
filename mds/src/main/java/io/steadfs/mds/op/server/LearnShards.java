package io.steadfs.mds.op.server;

import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.store.ReadView;

/**
 * Changes nothing. When it is answered, each batch is durable that was decided by a cluster map from before the command
 * was queued. Answers true.
 */
public final class LearnShards extends InternalCommand<Boolean> {
    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        return Decision.of(true);
    }
}
