package io.steadfs.mds.outbox;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Notices that this shard still has to send to other shards. The batch that changes a name also writes the row of its
 * notice. The row is removed after the other shard has acknowledged the notice:
 *
 * <pre>
 * +----------+---------+-----------+
 * | shard 2  | kind 1  | handle 8  |  value: group of a linked file's directory (UTF-8), else empty
 * +----------+---------+-----------+
 * </pre>
 *
 * So the notices for one shard are one range.
 */
public final class Outbox {
    private static final int KEY_BYTES = Short.BYTES + 1 + Long.BYTES;
    private static final int SHARDS = 1 << 16;

    private Outbox() {}

    /** Shards for which notices are queued, in rising order. Costs one seek for each shard. */
    public static List<Integer> shards(ReadView view) {
        List<Integer> shards = new ArrayList<>();
        int from = 0;
        while (from < SHARDS) {
            List<Notice> next = range(view, firstOf(from), endOf(SHARDS - 1), 1);
            if (next.isEmpty()) {
                break;
            }
            shards.add(next.get(0).shard());
            from = next.get(0).shard() + 1;
        }
        return shards;
    }

    /**
     * Notices for the shard, in key order, but at most {@code limit}.
     *
     * @param previous the notice behind which the result begins; empty = from the start
     */
    public static List<Notice> notices(ReadView view, int shard, Optional<Notice> previous, int limit) {
        byte[] from = previous.map(notice -> Keys.after(key(notice))).orElseGet(() -> firstOf(shard));
        return range(view, from, endOf(shard), limit);
    }

    /** Number of notices to all shards, counted up to a limit. */
    public static int count(ReadView view, int limit) {
        return range(view, firstOf(0), endOf(SHARDS - 1), limit).size();
    }

    /** Whether a notice is queued that the file got a name. */
    public static boolean holdsLinked(ReadView view, Handle file) {
        return view.get(ShardTables.OUTBOX, key(Notice.linked(file, ""))).isPresent();
    }

    /** Whether a notice is queued that the object lost its name. */
    public static boolean holdsUnlinked(ReadView view, Handle object) {
        return view.get(ShardTables.OUTBOX, key(new Notice(Notice.Kind.UNLINKED_FILE, object)))
                        .isPresent()
                || view.get(ShardTables.OUTBOX, key(new Notice(Notice.Kind.CUT_TREE, object)))
                        .isPresent();
    }

    private static List<Notice> range(ReadView view, byte[] from, byte[] to, int limit) {
        List<Notice> notices = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(ShardTables.OUTBOX, from, to)) {
            while (notices.size() < limit && cursor.next()) {
                notices.add(notice(cursor.key(), cursor.value()));
            }
        }
        return notices;
    }

    /** The notice of a row of the table. Empty if the row has another shape. */
    public static Optional<Notice> met(byte[] key, byte[] value) {
        try {
            return key.length == KEY_BYTES
                    ? Optional.of(notice(key, value)).filter(notice -> Arrays.equals(key(notice), key))
                    : Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.empty();
        }
    }

    private static Notice notice(byte[] key, byte[] value) {
        return new Notice(
                Notice.Kind.byNumber(key[Short.BYTES]),
                new Handle(Keys.longAt(key, Short.BYTES + 1)),
                new String(value, StandardCharsets.UTF_8));
    }

    static byte[] value(Notice notice) {
        return notice.group().getBytes(StandardCharsets.UTF_8);
    }

    static byte[] key(Notice notice) {
        byte[] key = new byte[KEY_BYTES];
        key[0] = (byte) (notice.shard() >>> 8);
        key[1] = (byte) notice.shard();
        key[Short.BYTES] = notice.kind().number();
        Keys.putLong(key, Short.BYTES + 1, notice.object().value());
        return key;
    }

    private static byte[] firstOf(int shard) {
        return new byte[] {(byte) (shard >>> 8), (byte) shard};
    }

    /** The key behind all keys of the shard. Every kind is a byte below 0xff. */
    private static byte[] endOf(int shard) {
        return new byte[] {(byte) (shard >>> 8), (byte) shard, (byte) 0xff};
    }
}
