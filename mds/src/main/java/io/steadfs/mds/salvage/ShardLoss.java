package io.steadfs.mds.salvage;

import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.state.LossIncarnation;
import io.steadfs.store.Overlay;
import java.util.List;

/**
 * Changes the rows of a shard after an operator accepts an older state as its store. Without the changes, the shard
 * could give out numbers and handles that the lost, newer state gave out already:
 *
 * <pre>
 *  write generations     of a file that changes hands go on at incarnation &lt;&lt; 32: IO servers may be sealed with those of the lost state
 *  intents               go on at incarnation &lt;&lt; 40: other shards remember those of the lost state by their numbers
 *  pool of leased handles is given up: its handles may be in files of the lost state
 *  sessions              are ended: their recorded replies may be lost, so a repeated request would be executed twice
 *  sequence of handles   needs nothing: a start goes on where ZooKeeper says
 *  queues, fences        need nothing: a notice or a removal may be repeated
 * </pre>
 */
public final class ShardLoss {
    private static final int INTENT_BITS = 40;
    private static final int PAGE = 10_000;

    private ShardLoss() {}

    /** @param incarnation number of the store's incarnation that begins now */
    public static void write(Overlay rows, long incarnation) {
        LossIncarnation.put(rows, incarnation);
        ShardSalvage.skipIntents(rows, incarnation << INTENT_BITS);
        ShardSalvage.giveUpPool(rows);
        long last = 0;
        List<Session> sessions = Sessions.after(rows, last, PAGE);
        while (!sessions.isEmpty()) {
            for (Session each : sessions) {
                new SessionPut(each.withEnd()).replay(rows);
                last = each.id();
            }
            sessions = Sessions.after(rows, last, PAGE);
        }
    }
}
