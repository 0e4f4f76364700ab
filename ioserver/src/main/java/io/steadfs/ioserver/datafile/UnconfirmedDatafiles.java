package io.steadfs.ioserver.datafile;

import io.steadfs.handle.Handle;
import io.steadfs.store.ReadView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/** Reads the datafiles that no shard has confirmed yet, one page at a time. */
public final class UnconfirmedDatafiles {
    private static final byte[] END = {-1, -1, -1, -1, -1, -1, -1, -1, -1};

    private UnconfirmedDatafiles() {}

    /**
     * A page of unconfirmed datafiles.
     *
     * @param due datafiles whose first write is long enough ago
     * @param unreadable number of skipped rows that cannot be decoded
     * @param last the handle behind which the next page begins; empty if there is no next page
     */
    public record Page(List<Handle> due, int unreadable, Optional<Handle> last) {
        public Page {
            due = List.copyOf(due);
        }
    }

    /**
     * Reads one page.
     *
     * @param after the handle behind which the page begins
     * @param most highest number of rows to read, not counting rows that cannot be decoded
     * @param isDue says whether a datafile is due; takes the wall clock time of its first write, in milliseconds since
     *     1970
     */
    public static Page page(ReadView rows, Handle after, int most, LongPredicate isDue) {
        List<Handle> due = new ArrayList<>();
        int unreadable = 0;
        byte[] from = DatafileTables.key(new Handle(after.value() + 1));
        try (ReadView.Cursor cursor = rows.scan(DatafileTables.UNCONFIRMED, from, END)) {
            for (int seen = 1; cursor.next(); seen++) {
                if (cursor.key().length != Long.BYTES || cursor.value().length != Long.BYTES) {
                    unreadable++;
                    seen--;
                    continue;
                }
                Handle handle = new Handle(ByteBuffer.wrap(cursor.key()).getLong());
                if (isDue.test(ByteBuffer.wrap(cursor.value()).getLong())) {
                    due.add(handle);
                }
                if (seen == most) {
                    return new Page(due, unreadable, Optional.of(handle));
                }
            }
        }
        return new Page(due, unreadable, Optional.empty());
    }
}
