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
 * Corrects rows of a salvaged shard that may be older versions of themselves and would stay wrong forever:
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
    /** More intents than a shard begins before the store writes its changes to files of rows. */
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

    /** The next intent gets at least this number, and a number far above all that are known. */
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

    /** The greatest number of all intents that the shard still knows. */
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
