package io.steadfs.mds.op.server;

import io.steadfs.handle.Handle;
import io.steadfs.mds.handle.HandleSequence;
import io.steadfs.mds.intent.IntentDecided;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.SlotCount;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.session.ClaimsForfeited;
import io.steadfs.mds.session.FileRecount;
import io.steadfs.mds.session.LifeBegun;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.Unsettled;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The first command after the start of a shard's process. In a new store of the root's shard, the command makes the
 * root directory. In an old store, the command undoes every intent that is not decided, because nobody drives such an
 * intent any more. The command also corrects rows that count other rows. A salvage may have left wrong counts. If a
 * count were too high, the shard would refuse requests as long as the counted session or coordinator lives. The command
 * answers whether it made the root directory.
 */
public final class StartShard extends InternalCommand<Boolean> {
    private final String superuser;
    private final String supergroup;

    public StartShard(String superuser, String supergroup) {
        this.superuser = superuser;
        this.supergroup = supergroup;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        Decision<Boolean> root = RootDirectory.decide(superuser, supergroup, view, inputs);
        List<LogRecord> records = new ArrayList<>(root.records());
        for (long number : Intents.numbers(view, 0, Integer.MAX_VALUE)) {
            IntentRow row = Intents.find(view, number).orElseThrow();
            if (row.getState() == IntentRow.State.OPEN) {
                records.add(IntentDecided.undone(number, row));
            }
        }
        Handle begin = NewHandles.next(view, inputs);
        records.add(new LifeBegun(begin));
        if (noneWasMadeSinceTheStop(view, inputs)
                || Unsettled.of(view, ShardTables.META).isPresent()) {
            records.add(new ClaimsForfeited(begin));
        }
        records.addAll(FileRecount.of(view));
        records.addAll(SlotCount.recounts(view));
        return new Decision<>(records, root.answer());
    }

    /** Whether the shard gave out no handle since it stopped in order, or since it was made. */
    private static boolean noneWasMadeSinceTheStop(ReadView view, Inputs inputs) {
        Optional<Handle> stop = Claims.forfeited(view);
        long next = HandleSequence.next(view, inputs.incarnation());
        boolean isSameIncarnation = stop.isPresent() && stop.get().incarnation() == inputs.incarnation();
        return isSameIncarnation
                ? next <= stop.get().sequence()
                : next == 1 && (stop.isPresent() || inputs.incarnation() == 0);
    }
}
