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
import io.steadfs.wire.proto.LockHierarchy;
import io.steadfs.wire.proto.PrepareReply;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Admits the move of a directory to another parent, beside other moves that cannot close a cycle together with it. In a
 * cycle of moves the directory of each is above the target of another. So a move waits while its directory is above the
 * target of an admitted one, or the other way round. Two moves of one directory come one after the other. A move counts
 * until all other shards have heard of its end.
 */
record LockHierarchyPart(LockHierarchy request) implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        if (context.inputs().shard() != Handle.ROOT.shard()) {
            throw new Refused(
                    FsError.NOT_OWNER,
                    "shard " + context.inputs().shard() + " does not order the moves of directories");
        }
        Set<Long> above = new HashSet<>(request.getAboveList());
        for (Map.Entry<SlotId, LockHierarchy> other :
                PreparedSlots.admittedMoves(context.view()).entrySet()) {
            if (!other.getKey().isOfSameIntent(id) && mayCloseCycle(above, other.getValue())) {
                throw ParticipantRows.busy(
                        "the order of directory moves", other.getKey().lock());
            }
        }
        return new Held(List.of(new HierarchyLocked(id)), PrepareReply.getDefaultInstance());
    }

    private boolean mayCloseCycle(Set<Long> above, LockHierarchy other) {
        return isOfEarlierRelease(request)
                || isOfEarlierRelease(other)
                || request.getMoved() == other.getMoved()
                || above.contains(other.getMoved())
                || other.getAboveList().contains(request.getMoved());
    }

    private static boolean isOfEarlierRelease(LockHierarchy move) {
        return move.getMoved() == 0;
    }

    @Override
    public List<LogRecord> commit(SlotId id, PrepareReply held, Context context) {
        return List.of(HierarchyFree.of(id, context.view()));
    }

    @Override
    public List<LogRecord> undo(SlotId id, PrepareReply held, Context context) {
        return List.of(HierarchyFree.of(id, context.view()));
    }
}
