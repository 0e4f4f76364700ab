package io.steadfs.ioserver.lease;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.WriteView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Reads and writes the rows of the table of leases. */
public final class LeaseRows {
    private static final byte[] END = DatafileTables.key(new Handle(-1L));

    private LeaseRows() {}

    public static void put(WriteView out, LeaseRow lease) {
        out.put(DatafileTables.LEASE, DatafileTables.key(lease.range().last()), lease.encode());
    }

    public static void delete(WriteView out, LeaseRow lease) {
        out.delete(DatafileTables.LEASE, DatafileTables.key(lease.range().last()));
    }

    /**
     * Makes all leases REVOKING, so that no holder may use a lease any more. A lease ends after every shard has said
     * which of its handles files have.
     */
    public static void revokeAll(Overlay rows) {
        all(rows, new ArrayList<>()).forEach(lease -> put(rows, lease.revoked()));
    }

    /**
     * All leases, in handle order.
     *
     * @param problems gets a line for each row that cannot be decoded. The handles of such a row are neither given out
     *     nor reclaimed
     */
    static List<LeaseRow> all(ReadView view, List<String> problems) {
        List<LeaseRow> all = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(DatafileTables.LEASE, new byte[0], END)) {
            while (cursor.next()) {
                if (cursor.key().length != Long.BYTES) {
                    problems.add("a row of the leases has a key of " + cursor.key().length + " bytes");
                    continue;
                }
                try {
                    all.add(LeaseRow.decode(
                            new Handle(ByteBuffer.wrap(cursor.key()).getLong()), cursor.value()));
                } catch (IOException e) {
                    problems.add(String.valueOf(e.getMessage()));
                }
            }
        } catch (UncheckedIOException e) {
            problems.add("leases behind "
                    + (all.isEmpty() ? "the beginning" : all.get(all.size() - 1).range()) + " cannot be read: "
                    + e.getMessage());
        }
        return all;
    }
}
