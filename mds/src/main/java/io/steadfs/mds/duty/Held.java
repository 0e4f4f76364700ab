package io.steadfs.mds.duty;

import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.Unsettled;

/**
 * Whether duties must wait that remove something, or have others remove it: rows of a store that is not settled may be of before, and what came after them be lost.
 *
 * <pre>
 *  deletion queue             what lists the datafile now may be lost
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
