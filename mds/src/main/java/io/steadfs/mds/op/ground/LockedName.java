package io.steadfs.mds.op.ground;

import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.IntentStatusReply;
import java.util.Optional;

/**
 * A name whose dirent is held, because a rename driven by another shard is taking it away. Only that shard knows whether the
 * rename has happened. So a read of the name asks that shard, and a change of the name waits.
 */
public final class LockedName {
    private LockedName() {}

    /** Refuses with BUSY if the name is held, so that it cannot be changed. */
    public static void requireFree(DirentRow dirent, String what) throws Refused {
        if (dirent.hasLock()) {
            throw ParticipantRows.busy(what, dirent.getLock());
        }
    }

    /** Whether the rename has happened, so that the name no longer exists. */
    public static boolean isGone(DirentRow dirent, String what, Context context) throws Refused {
        return dirent.hasLock()
                && isGone(
                        context.body(Facts.verdict(dirent.getLock()), IntentStatusReply.class), dirent.getLock(), what);
    }

    /** Like {@link #isGone}, but false while the other shard must still be asked. */
    public static boolean isGone(DirentRow dirent, String what, Gathering gathering) throws Refused {
        if (!dirent.hasLock()) {
            return false;
        }
        Optional<Reply> reply = gathering.find(Facts.verdict(dirent.getLock()));
        return reply.isPresent()
                && isGone(Refused.unlessOk(reply.get(), IntentStatusReply.class), dirent.getLock(), what);
    }

    /** Like {@link #isGone}, but true while the other shard must still be asked. */
    public static boolean mayBeGone(DirentRow dirent, String what, Gathering gathering) throws Refused {
        return dirent.hasLock()
                && (gathering.find(Facts.verdict(dirent.getLock())).isEmpty() || isGone(dirent, what, gathering));
    }

    private static boolean isGone(IntentStatusReply verdict, LockRow lock, String what) throws Refused {
        return switch (verdict.getState()) {
            case OPEN, UNDONE -> false;
            case COMMITTED -> true;
            // The lock was released after this state, so the caller must look at a newer state.
            case FORGOTTEN, STATE_UNSPECIFIED, UNRECOGNIZED -> throw ParticipantRows.busy(what, lock);
        };
    }
}
