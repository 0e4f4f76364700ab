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
 * What a shard does for an operation that another shard drives. There is one class for each action. After the prepare it must
 * be possible to commit it and to undo it, whatever else happens on the shard in between. After the commit or the undo
 * nothing is held. Pure.
 */
interface Participation {
    /** The result of a prepare: records that hold something, and what the coordinator learns from it. */
    record Held(List<LogRecord> records, PrepareReply reply) {
        public Held {
            records = List.copyOf(records);
        }
    }

    /** @throws Refused BUSY if another intent holds what this one needs; else the reason why it can never be prepared */
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
            case LOCK_HIERARCHY -> new LockHierarchyPart();
            case ACTION_NOT_SET -> throw new Refused(FsError.INVALID_ARGUMENT, "a prepare without an action");
        };
    }
}
