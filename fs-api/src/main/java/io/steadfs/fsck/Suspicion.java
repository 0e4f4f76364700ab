package io.steadfs.fsck;

import io.steadfs.wire.proto.ListedColumn;
import io.steadfs.wire.proto.StoredDatafile;
import java.util.List;
import java.util.Optional;

/** Whether a datafile is to be looked at again, by what streams of different moments say of it. */
final class Suspicion {
    private Suspicion() {}

    static boolean isSuspect(Optional<StoredDatafile> stored, List<ListedColumn> claims) {
        if (stored.isPresent() && !stored.get().getUnreadable().isEmpty()) {
            return true;
        }
        if (claims.isEmpty()) {
            return stored.isPresent() && mayBeLeaked(stored.get());
        }
        ListedColumn claim = claims.get(0);
        return claims.size() > 1
                || claim.getAstray()
                || stored.isEmpty()
                || isForeign(stored.get(), claim)
                || stored.get().getLength() < claim.getLeastLength();
    }

    /** Nobody else looks after it: neither a lease, nor the IO server, which asks about those that are unconfirmed. */
    static boolean mayBeLeaked(StoredDatafile stored) {
        return stored.getMetafile() == 0 ? !stored.getLeased() : !stored.getUnconfirmed();
    }

    static boolean isForeign(StoredDatafile stored, ListedColumn claim) {
        return stored.getMetafile() != 0 && stored.getMetafile() != claim.getMetafile();
    }
}
