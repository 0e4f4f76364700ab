package io.steadfs.mds.op.ground;

import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.IntentStatusReply;
import java.util.Optional;

/**
 * Rules for a held name. A name is held while a rename that another shard drives takes the name away. Only the shard
 * that drives the rename knows whether the rename has happened. So a read of a held name asks the shard that drives the
 * rename. A change of a held name is refused with BUSY.
 */
public final class LockedName {
    private LockedName() {}

    /** Refuses with BUSY if the name is held, because a held name must not be changed. */
    public static void requireFree(DirentRow dirent, String what) throws Refused {
        if (dirent.hasLock()) {
            throw ParticipantRows.busy(what, dirent.getLock());
        }
    }

    /** Whether a rename has taken the name away. The result is false for a name that is not held. */
    public static boolean isGone(DirentRow dirent, String what, Context context) throws Refused {
        return dirent.hasLock()
                && isGone(
                        context.body(Facts.verdict(dirent.getLock()), IntentStatusReply.class), dirent.getLock(), what);
    }

    /** Like {@link #isGone}, but the result is false until the other shard has answered. */
    public static boolean isGone(DirentRow dirent, String what, Gathering gathering) throws Refused {
        if (!dirent.hasLock()) {
            return false;
        }
        Optional<Reply> reply = gathering.find(Facts.verdict(dirent.getLock()));
        return reply.isPresent()
                && isGone(Refused.unlessOk(reply.get(), IntentStatusReply.class), dirent.getLock(), what);
    }

    /** Like {@link #isGone}, but the result is true until the other shard has answered. */
    public static boolean mayBeGone(DirentRow dirent, String what, Gathering gathering) throws Refused {
        return dirent.hasLock()
                && (gathering.find(Facts.verdict(dirent.getLock())).isEmpty() || isGone(dirent, what, gathering));
    }

    private static boolean isGone(IntentStatusReply verdict, LockRow lock, String what) throws Refused {
        return switch (verdict.getState()) {
            case OPEN, UNDONE -> false;
            case COMMITTED -> true;
            // The intent is over, so a newer state no longer has the lock. The caller must look at a newer state.
            case FORGOTTEN, STATE_UNSPECIFIED, UNRECOGNIZED -> throw ParticipantRows.busy(what, lock);
        };
    }
}
