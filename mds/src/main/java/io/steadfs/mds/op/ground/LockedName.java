package io.steadfs.mds.op.ground;

import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.IntentStatusReply;
import java.util.Optional;

/**
 * A name that a rename driven by another shard takes away: its dirent is held. Only that shard knows whether the rename
 * has happened, so whoever reads the name asks there; whoever wants to change it waits.
 */
public final class LockedName {
    private LockedName() {}

    /** Refuses with BUSY to change a name that is held. */
    public static void requireFree(DirentRow dirent, String what) throws Refused {
        if (dirent.hasLock()) {
            throw ParticipantRows.busy(what, dirent.getLock());
        }
    }

    /** Whether the rename has happened, so that the name is there no more. */
    public static boolean isGone(DirentRow dirent, String what, Context context) throws Refused {
        return dirent.hasLock()
                && isGone(
                        context.body(Facts.verdict(dirent.getLock()), IntentStatusReply.class), dirent.getLock(), what);
    }

    /** As {@link #isGone}; no while that is yet to be asked for. */
    public static boolean isGone(DirentRow dirent, String what, Gathering gathering) throws Refused {
        if (!dirent.hasLock()) {
            return false;
        }
        Optional<Reply> reply = gathering.find(Facts.verdict(dirent.getLock()));
        return reply.isPresent()
                && isGone(Refused.unlessOk(reply.get(), IntentStatusReply.class), dirent.getLock(), what);
    }

    /** As {@link #isGone}; yes while that is yet to be asked for. */
    public static boolean mayBeGone(DirentRow dirent, String what, Gathering gathering) throws Refused {
        return dirent.hasLock()
                && (gathering.find(Facts.verdict(dirent.getLock())).isEmpty() || isGone(dirent, what, gathering));
    }

    private static boolean isGone(IntentStatusReply verdict, LockRow lock, String what) throws Refused {
        return switch (verdict.getState()) {
            case OPEN, UNDONE -> false;
            case COMMITTED -> true;
            // The lock was taken off since this state: look at a newer one.
            case FORGOTTEN, STATE_UNSPECIFIED, UNRECOGNIZED -> throw ParticipantRows.busy(what, lock);
        };
    }
}
