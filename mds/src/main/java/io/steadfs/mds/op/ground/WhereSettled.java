package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.Unsettled;
import java.util.Optional;

/**
 * Decides whether an object that is unknown to this shard may count as not existing. A shard that may have lost rows is
 * not settled. Until a check has settled the shard, an unknown object may still exist.
 */
public final class WhereSettled {
    private WhereSettled() {}

    /** The reason why the shard is not settled; empty if the shard is settled. */
    public static Optional<String> whyNot(ReadView view, Inputs inputs) {
        return Unsettled.of(view, ShardTables.META)
                .map(why ->
                        "shard " + inputs.shard() + ", " + why + ", is not settled: what it does not know may be lost");
    }

    /** @throws Refused BUSY if the shard may have lost rows and no check has settled it yet */
    public static void check(Context context) throws Refused {
        Optional<String> why = whyNot(context.view(), context.inputs());
        if (why.isPresent()) {
            throw new Refused(FsError.BUSY, why.get());
        }
    }
}
