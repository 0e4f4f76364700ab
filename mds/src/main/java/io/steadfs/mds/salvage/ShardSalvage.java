package io.steadfs.mds.salvage;

import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.IntentsSkipped;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.rocks.SalvageReport;
import java.util.ArrayList;
import java.util.List;

/**
 * Corrects rows of a salvaged shard. A salvage may bring back an older version of a row. This class corrects the rows
 * whose older versions would stay wrong forever:
 *
 * <pre>
 *  number of the next intent     must never go back: other shards remember intents by it, so it goes far ahead
 *  pool of leased handles        is given up: a handle that was given out since could be given out again
 *  sequence of handles           needs nothing: a start goes on where ZooKeeper says
 *  disk format                   is kept, or the command numbers the rows: the next start runs the steps that are due
 *  counts of sessions and slots  need nothing: a start counts them
 * </pre>
 */
public final class ShardSalvage {
    /**
     * How much the number of the next intent is raised. A shard begins fewer intents than this before its store writes
     * the intents to files.
     */
    private static final long AHEAD = 1L << 24;

    private static final int MOST = 1 << 20;
    private static final byte[] END = {-1, -1, -1, -1, -1, -1, -1, -1, -1};

    private ShardSalvage() {}

    public static void fix(Overlay rows, SalvageReport report) {
        if (report.isDoubtful(ShardTables.INTENT.name())) {
            skipIntents(rows, 0);
        }
        if (report.isDoubtful(ShardTables.POOL.name())) {
            giveUpPool(rows);
        }
        LostPlaces.tell(rows, report);
    }

    /**
     * Raises the number of the next intent. The new number is not below {@code least}, and is far above all numbers
     * that the shard knows.
     */
    static void skipIntents(Overlay rows, long least) {
        new IntentsSkipped(Math.max(least, greatest(rows) + AHEAD)).replay(rows);
    }

    static void giveUpPool(Overlay rows) {
        List<byte[]> keys = new ArrayList<>();
        try (ReadView.Cursor cursor = rows.scan(ShardTables.POOL, new byte[0], END)) {
            while (cursor.next()) {
                keys.add(cursor.key());
            }
        }
        keys.forEach(key -> rows.delete(ShardTables.POOL, key));
    }

    /** One more than the greatest number of an intent in the saved rows. */
    private static long greatest(ReadView rows) {
        long greatest = Intents.next(rows);
        List<Long> numbers = Intents.numbers(rows, 0, MOST);
        while (!numbers.isEmpty()) {
            greatest = Math.max(greatest, numbers.get(numbers.size() - 1) + 1);
            numbers = Intents.numbers(rows, numbers.get(numbers.size() - 1), MOST);
        }
        return greatest;
    }
}
