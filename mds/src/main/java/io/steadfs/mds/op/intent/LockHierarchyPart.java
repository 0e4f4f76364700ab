package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.intent.HierarchyFree;
import io.steadfs.mds.intent.HierarchyLocked;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.PrepareReply;
import java.util.List;
import java.util.Optional;

/**
 * Lets only one directory at a time move to another parent. So two moves cannot together close a cycle of directories.
 */
record LockHierarchyPart() implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        if (context.inputs().shard() != Handle.ROOT.shard()) {
            throw new Refused(
                    FsError.NOT_OWNER,
                    "shard " + context.inputs().shard() + " does not order the moves of directories");
        }
        Optional<SlotId> holder = PreparedSlots.hierarchy(context.view());
        if (holder.isPresent()) {
            throw ParticipantRows.busy(
                    "the order of directory moves", holder.get().lock());
        }
        return new Held(List.of(new HierarchyLocked(id)), PrepareReply.getDefaultInstance());
    }

    @Override
    public List<LogRecord> commit(SlotId id, PrepareReply held, Context context) {
        return free(id, context);
    }

    @Override
    public List<LogRecord> undo(SlotId id, PrepareReply held, Context context) {
        return free(id, context);
    }

    private static List<LogRecord> free(SlotId id, Context context) {
        return PreparedSlots.hierarchy(context.view())
                .filter(id::equals)
                .<LogRecord>map(held -> new HierarchyFree())
                .stream()
                .toList();
    }
}
