package io.steadfs.mds.intent;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The intents that this shard coordinates. A row is there from before the first prepare is sent until the last
 * participant has acknowledged what became of it.
 */
public final class Intents {
    /** The highest number that a check of the file system may skip up to, where somebody made one up. */
    public static final long MOST_SKIPPED = 1L << 62;

    /** The highest number of an intent: what is left above those that may be skipped lasts for ever. */
    public static final long MOST = MOST_SKIPPED + (1L << 48);

    private Intents() {}

    public static Optional<IntentRow> find(ReadView view, long number) {
        return view.get(ShardTables.INTENT, IntentKeys.intent(number)).map(value -> decode(number, value));
    }

    /** Number of the intent that serves a request and is not decided yet. */
    public static Optional<Long> ofRequest(ReadView view, long session, long requestId) {
        return view.get(ShardTables.INTENT, IntentKeys.request(session, requestId))
                .map(value -> Keys.longAt(value, 0));
    }

    /** The next intent's number, from 1. */
    public static long next(ReadView view) {
        return view.get(ShardTables.INTENT, IntentKeys.next())
                .map(value -> Keys.longAt(value, 0))
                .orElse(1L);
    }

    /**
     * Every intent below this number is closed for ever.
     *
     * @param known an earlier answer, or 1: rows that are gone are passed over slowly, so the search begins there
     */
    public static long lowestOpen(ReadView view, long known) {
        List<Long> first = numbers(view, known - 1, 1);
        return first.isEmpty() ? next(view) : first.get(0);
    }

    /** Numbers above the given one, rising. */
    public static List<Long> numbers(ReadView view, long above, int limit) {
        List<Long> numbers = new ArrayList<>();
        byte[] end = Keys.endOf(Keys.of(IntentKeys.INTENT));
        try (ReadView.Cursor cursor = view.scan(ShardTables.INTENT, IntentKeys.intent(above + 1), end)) {
            while (numbers.size() < limit && cursor.next()) {
                numbers.add(Keys.longAt(cursor.key(), 1));
            }
        }
        return numbers;
    }

    /** Number of the intent that a row of the table is of; empty for rows of other shapes. */
    public static Optional<Long> met(byte[] key) {
        boolean isIntent = key.length == 1 + Long.BYTES && key[0] == IntentKeys.INTENT;
        return isIntent ? Optional.of(Keys.longAt(key, 1)) : Optional.empty();
    }

    private static IntentRow decode(long number, byte[] value) {
        try {
            return IntentRow.parseFrom(value);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("intent " + number + " cannot be decoded", e);
        }
    }
}
