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
 * The intents that this shard coordinates. An intent gets a row before its first prepare is sent. The row is removed
 * after the last participant has acknowledged the outcome.
 */
public final class Intents {
    /**
     * The highest number to which a check of the file system may skip. The limit bounds the damage that a false number
     * can do.
     */
    public static final long MOST_SKIPPED = 1L << 62;

    /**
     * The highest number that an intent may have. The numbers above {@link #MOST_SKIPPED} and up to this one suffice
     * forever.
     */
    public static final long MOST = MOST_SKIPPED + (1L << 48);

    private Intents() {}

    public static Optional<IntentRow> find(ReadView view, long number) {
        return view.get(ShardTables.INTENT, IntentKeys.intent(number)).map(value -> decode(number, value));
    }

    /** Returns the number of the undecided intent that serves a request; empty if there is none. */
    public static Optional<Long> ofRequest(ReadView view, long session, long requestId) {
        return view.get(ShardTables.INTENT, IntentKeys.request(session, requestId))
                .map(value -> Keys.longAt(value, 0));
    }

    /** The number that the next intent gets. The first number is 1. */
    public static long next(ReadView view) {
        return view.get(ShardTables.INTENT, IntentKeys.next())
                .map(value -> Keys.longAt(value, 0))
                .orElse(1L);
    }

    /**
     * Returns a number below which every intent is closed forever.
     *
     * @param known an earlier result of this method, or 1; the search begins here, because a scan over removed rows is
     *     slow
     */
    public static long lowestOpen(ReadView view, long known) {
        List<Long> first = numbers(view, known - 1, 1);
        return first.isEmpty() ? next(view) : first.get(0);
    }

    /** Numbers of the intents above the given number, in rising order, but at most {@code limit}. */
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

    /** Number of the intent to which a row of the table belongs. Empty if the row has another shape. */
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
