package io.steadfs.mds.pool;

import io.steadfs.handle.Handle;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The leases that the shard uses to make files, by IO server, the oldest first. The handle for a file is chosen from
 * this state. The batch that makes the file also records the choice. So two files never get the same handle, even if
 * the shard crashes. Leases of an earlier process stay here until the shard gives them up. No file gets a handle of an
 * earlier process's lease.
 *
 * <pre>
 * +-------------+      +----------+---------+--------+--------+
 * | IO server 8 |  ->  | holder 8 | first 8 | next 8 | last 8 |  once for each lease
 * +-------------+      +----------+---------+--------+--------+
 * </pre>
 */
public final class PooledLeases {
    private static final int LEASE_BYTES = 4 * Long.BYTES;

    private PooledLeases() {}

    public static List<PooledLease> of(ReadView view, int server) {
        return view.get(ShardTables.POOL, Keys.of(server))
                .map(value -> decode(server, value))
                .orElse(List.of());
    }

    /** The leases by IO server. Servers without leases are left out. */
    public static Map<Integer, List<PooledLease>> all(ReadView view) {
        Map<Integer, List<PooledLease>> all = new TreeMap<>();
        try (ReadView.Cursor cursor = view.scan(ShardTables.POOL, Keys.of(0L), Keys.of(-1L))) {
            while (cursor.next()) {
                int server = (int) Keys.longAt(cursor.key(), 0);
                all.put(server, decode(server, cursor.value()));
            }
        }
        return all;
    }

    static byte[] encode(List<PooledLease> leases) {
        ByteBuffer out = ByteBuffer.allocate(leases.size() * LEASE_BYTES);
        for (PooledLease lease : leases) {
            out.putLong(lease.holder())
                    .putLong(lease.first().value())
                    .putLong(lease.next().value())
                    .putLong(lease.last().value());
        }
        return out.array();
    }

    private static List<PooledLease> decode(int server, byte[] value) {
        if (value.length % LEASE_BYTES != 0) {
            throw new IllegalStateException(
                    "row of the leases of IO server " + server + " has " + value.length + " bytes, not 32 for each");
        }
        ByteBuffer in = ByteBuffer.wrap(value);
        List<PooledLease> leases = new ArrayList<>();
        try {
            while (in.hasRemaining()) {
                leases.add(new PooledLease(
                        in.getLong(), new Handle(in.getLong()), new Handle(in.getLong()), new Handle(in.getLong())));
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("row of the leases of IO server " + server + ": " + e.getMessage(), e);
        }
        return leases;
    }
}
