package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.PrepareAction;
import io.steadfs.wire.proto.PrepareReply;
import java.util.List;

/**
 * The work of a participant on one slot of an intent: first prepare, then commit or undo. Each kind of action has a
 * class. After a prepare, both the commit and the undo must be possible, whatever else happens on the participant in
 * between. After the commit or the undo, the participant holds nothing. The methods have no side effects.
 */
interface Participation {
    /**
     * The result of a prepare.
     *
     * @param records records by which the participant holds what the action needs
     * @param reply the reply to the coordinator
     */
    record Held(List<LogRecord> records, PrepareReply reply) {
        public Held {
            records = List.copyOf(records);
        }
    }

    /**
     * @throws Refused BUSY if another intent holds something that this action needs; another error if the action can
     *     never be prepared
     */
    Held prepare(SlotId id, Context context) throws Refused;

    List<LogRecord> commit(SlotId id, PrepareReply held, Context context);

    List<LogRecord> undo(SlotId id, PrepareReply held, Context context);

    /** @throws Refused if this release does not know the action */
    static Participation of(PrepareAction action) throws Refused {
        return switch (action.getActionCase()) {
            case MAKE_DIRECTORY -> new MakeDirectoryPart(action.getMakeDirectory());
            case LOCK_SOURCE -> new LockSourcePart(action.getLockSource());
            case FREEZE_DIRECTORY -> new FreezeDirectoryPart(action.getFreezeDirectory());
            case MOVE_DIRECTORY -> new MoveDirectoryPart(action.getMoveDirectory());
            case LOCK_HIERARCHY -> new LockHierarchyPart(action.getLockHierarchy());
            case MAKE_PARTITIONS -> new MakePartitionsPart(action.getMakePartitions());
            case TAKE_PARTITION -> new TakePartitionPart(action.getTakePartition());
            case HOLD_MAP -> new HoldMapPart(action.getHoldMap());
            case MERGE_NAMES -> new MergeNamesPart(action.getMergeNames());
            case MERGE_MAP -> new MergeMapPart(action.getMergeMap());
            case ACTION_NOT_SET -> throw new Refused(FsError.INVALID_ARGUMENT, "a prepare without an action");
        };
    }
}
