package io.steadfs.mds.op.session;

import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.session.GraceOver;
import io.steadfs.store.ReadView;

/**
 * Ends the time in which untouched files of an earlier life of the shard wait for their sessions to claim them again.
 * Answers true.
 */
public final class EndGrace extends InternalCommand<Boolean> {
    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        return Decision.of(true, new GraceOver());
    }
}
