package io.steadfs.mds.duty;

import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.Unsettled;

/**
 * Tells whether duties that remove something must wait. Duties that make others remove something must wait too. Duties
 * wait if the store is not settled: its rows may be old, and newer rows may be lost. The list says why each duty would
 * do harm without waiting:
 *
 * <pre>
 *  deletion queue             the row by which a metafile lists the datafile now may be lost
 *  recovery of a length       a column that was attached since is not known, so too much would be cut
 *  outbox, cut-off trees      a name that was moved away since is back, and its object would be removed
 *  files without a name       their name may be lost
 * </pre>
 */
final class Held {
    private Held() {}

    static boolean isHeld(ReadView view) {
        return Unsettled.of(view, ShardTables.META).isPresent();
    }
}
