package io.steadfs.mds.op.check;

import com.google.protobuf.ByteString;
import io.steadfs.mds.state.RawPage;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.wire.proto.UnreadableRows;
import java.util.List;

/**
 * A page of rows that follow a given key in a table. One answer of a scan has one page.
 *
 * @param after the key before the first row of the page
 */
record ScanPage(Table table, ByteString after, RawPage raw) {
    /** The largest number of rows of one page. The same limit applies to the datafiles, objects or names that one request looks up. */
    static final int MOST = 10_000;

    /** @param asked number of rows that the request asks for; 0 = as many as possible */
    static ScanPage of(ReadView view, Table table, ByteString after, int asked) {
        return new ScanPage(table, after, RawPage.behind(view, table, after.toByteArray(), limit(asked)));
    }

    /**
     * The greatest number of rows in a page.
     *
     * @param asked number of rows that the request asks for; 0 = as many as possible
     */
    static int limit(int asked) {
        return asked <= 0 ? MOST : Math.min(MOST, asked);
    }

    List<RawPage.Row> rows() {
        return raw.rows();
    }

    /** Whether the table may have more rows behind the page. */
    boolean more() {
        return raw.more();
    }

    /** The key behind which the next page begins. */
    ByteString last() {
        return ByteString.copyFrom(raw.last(after.toByteArray()));
    }

    /** The gaps of the page. A gap is a range of keys whose rows cannot be read. */
    List<UnreadableRows> unreadable() {
        return Unread.of(table, raw.gaps());
    }

    /** A page with only the first {@code count} rows of this page. The next page begins with the remaining rows. */
    ScanPage first(int count) {
        return count == rows().size()
                ? this
                : new ScanPage(table, after, new RawPage(rows().subList(0, count), true, raw.gaps()));
    }
}
