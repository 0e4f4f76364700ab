package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.Unsettled;
import java.util.Optional;

/**
 * Whether others may conclude something when this shard does not know an object. They may not while rows may be lost that no
 * check has looked for.
 */
public final class WhereSettled {
    private WhereSettled() {}

    /** Why they may not; empty if they may. */
    public static Optional<String> whyNot(ReadView view, Inputs inputs) {
        return Unsettled.of(view, ShardTables.META)
                .map(why ->
                        "shard " + inputs.shard() + ", " + why + ", is not settled: what it does not know may be lost");
    }

    /** @throws Refused BUSY if the shard's store was salvaged and no check has settled it yet */
    public static void check(Context context) throws Refused {
        Optional<String> why = whyNot(context.view(), context.inputs());
        if (why.isPresent()) {
            throw new Refused(FsError.BUSY, why.get());
        }
    }
}
