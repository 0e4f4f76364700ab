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
 * What a shard does for an operation that another one drives, one class for each action. Prepared, it must be possible
 * to commit and to undo it whatever else happens on the shard in between; after either nothing of it is held. Pure.
 */
interface Participation {
    /** What is held, and what the coordinator learns from it. */
    record Held(List<LogRecord> records, PrepareReply reply) {
        public Held {
            records = List.copyOf(records);
        }
    }

    /** @throws Refused BUSY where another intent holds what this one needs; else why it can never be */
    Held prepare(SlotId id, Context context) throws Refused;

    List<LogRecord> commit(SlotId id, PrepareReply held, Context context);

    List<LogRecord> undo(SlotId id, PrepareReply held, Context context);

    /** @throws Refused for an action that this release does not know */
    static Participation of(PrepareAction action) throws Refused {
        return switch (action.getActionCase()) {
            case MAKE_DIRECTORY -> new MakeDirectoryPart(action.getMakeDirectory());
            case LOCK_SOURCE -> new LockSourcePart(action.getLockSource());
            case FREEZE_DIRECTORY -> new FreezeDirectoryPart(action.getFreezeDirectory());
            case MOVE_DIRECTORY -> new MoveDirectoryPart(action.getMoveDirectory());
            case LOCK_HIERARCHY -> new LockHierarchyPart();
            case ACTION_NOT_SET -> throw new Refused(FsError.INVALID_ARGUMENT, "a prepare without an action");
        };
    }
}
