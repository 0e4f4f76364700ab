package io.steadfs.mds.op.mend;

import io.steadfs.mds.deletion.DatafilesRemoved;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.deletion.QueuedDatafile;
import io.steadfs.mds.intent.IntentDecided;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.op.check.ScanPending;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.intent.FinishIntent;
import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.outbox.Told;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.MendPending;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends work that waits for a server which the cluster does not have. Also undoes what this shard holds for an operation
 * that no shard drives.
 */
record PendingMending(MendPending request) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        byte[] key = request.getKey().toByteArray();
        byte[] value = context.view()
                .get(ScanPending.table(request.getQueue()), key)
                .orElseThrow(() -> Mending.stale("it is not pending any more"));
        return Mended.of(
                switch (request.getQueue()) {
                    case DELETIONS -> deletion(key, context);
                    case NOTICES -> notice(key, value, context);
                    default -> intent(key, context);
                });
    }

    private static List<LogRecord> deletion(byte[] key, Context context) throws Refused {
        QueuedDatafile queued = DeletionQueue.met(key).orElseThrow(() -> Mending.stale("the row is of no datafile"));
        int owner = queued.datafile().owner();
        KnownIoServers known = KnownIoServers.of(context);
        if (!known.lack(owner)) {
            throw Mending.stale("the shard knows IO servers " + known.ids());
        }
        return List.of(new DatafilesRemoved(List.of(queued)));
    }

    private static List<LogRecord> notice(byte[] key, byte[] value, Context context) throws Refused {
        Notice notice = Outbox.met(key, value).orElseThrow(() -> Mending.stale("the row is no notice"));
        if (isShard(notice.shard(), context)) {
            throw Mending.stale("the cluster has shard " + notice.shard());
        }
        return List.of(new Told(List.of(notice)));
    }

    private static List<LogRecord> intent(byte[] key, Context context) throws Refused {
        Optional<SlotId> slot = PreparedSlots.met(key);
        if (slot.isPresent()) {
            List<LogRecord> records = new ArrayList<>();
            FinishIntent.finish(slot.get(), false, context, records);
            return records;
        }
        long number = Intents.met(key).orElseThrow(() -> Mending.stale("the row is of no operation"));
        IntentRow row = Intents.find(context.view(), number)
                .filter(found -> found.getState() == IntentRow.State.DECIDED)
                .orElseThrow(() -> Mending.stale("operation " + number + " is not decided"));
        return List.of(new IntentDecided(number, withoutStrangers(row, context)));
    }

    /**
     * Gives the slots of missing shards to this shard. The slots keep their numbers. This shard itself acknowledges the
     * slots that it got.
     */
    private static IntentRow withoutStrangers(IntentRow row, Context context) throws Refused {
        IntentRow.Builder mended = row.toBuilder();
        boolean changed = false;
        for (IntentRow.Slot.Builder slot : mended.getSlotsBuilderList()) {
            if (!isShard(slot.getShard(), context)) {
                slot.setShard(context.inputs().shard());
                changed = true;
            }
        }
        if (!changed) {
            throw Mending.stale("the cluster has all shards that the operation waits for");
        }
        return mended.build();
    }

    private static boolean isShard(int number, Context context) {
        return context.shards().has(number);
    }
}
