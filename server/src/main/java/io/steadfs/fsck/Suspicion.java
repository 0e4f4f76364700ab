package io.steadfs.fsck;

import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.ListedColumn;
import io.steadfs.wire.proto.StoredDatafile;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether the check must look at a datafile again. The decision compares rows of servers that were read at
 * different moments.
 */
final class Suspicion {
    private Suspicion() {}

    static boolean isSuspect(
            Optional<StoredDatafile> stored, List<ListedColumn> claims, int shards, NeededBytes needed) {
        if (stored.isPresent() && !stored.get().getUnreadable().isEmpty()) {
            return true;
        }
        if (claims.isEmpty()) {
            return stored.isPresent() && mayBeLeaked(stored.get(), shards);
        }
        ListedColumn claim = claims.get(0);
        return claims.size() > 1
                || claim.getAstray()
                || (!claim.getUnreadable().isEmpty() && claim.getMetafile() == 0 && !claim.getDamaged())
                || stored.isEmpty()
                || isForeign(stored.get(), claim)
                || stored.get().getLength() < needed.of(claim);
    }

    /**
     * Whether a datafile that no metafile lists may be leaked. A datafile is not leaked while a lease has its handle.
     * If a datafile is unconfirmed and its IO server can ask the metafile's shard, the datafile is not leaked.
     */
    static boolean mayBeLeaked(StoredDatafile stored, int shards) {
        Handle metafile = new Handle(stored.getMetafile());
        if (metafile.isNone()) {
            return !stored.getLeased();
        }
        boolean canAsk = metafile.isOwnedByShard() && metafile.shard() < shards;
        return !stored.getUnconfirmed() || !canAsk;
    }

    static boolean isForeign(StoredDatafile stored, ListedColumn claim) {
        return stored.getMetafile() != 0
                && (stored.getMetafile() != claim.getMetafile() || stored.getIndex() != claim.getIndex());
    }
}
