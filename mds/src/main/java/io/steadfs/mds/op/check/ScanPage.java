package io.steadfs.mds.op.check;

import com.google.protobuf.ByteString;
import io.steadfs.mds.state.RawPage;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.wire.proto.UnreadableRows;
import java.util.List;

/**
 * The rows of a table behind a key, as many as one answer of a scan has.
 *
 * @param after the key before the page
 */
record ScanPage(Table table, ByteString after, RawPage raw) {
    /** Most rows of a page, and most things that are looked up by one request. */
    static final int MOST = 10_000;

    /** @param asked number of rows; 0 = as many as possible */
    static ScanPage of(ReadView view, Table table, ByteString after, int asked) {
        return new ScanPage(table, after, RawPage.behind(view, table, after.toByteArray(), limit(asked)));
    }

    /** Number of rows of a page, given the number asked for; 0 = as many as possible. */
    static int limit(int asked) {
        return asked <= 0 ? MOST : Math.min(MOST, asked);
    }

    List<RawPage.Row> rows() {
        return raw.rows();
    }

    /** Whether more rows may follow these. */
    boolean more() {
        return raw.more();
    }

    /** The key behind which the next page begins. */
    ByteString last() {
        return ByteString.copyFrom(raw.last(after.toByteArray()));
    }

    /** The gaps of the page. */
    List<UnreadableRows> unreadable() {
        return Unread.of(table, raw.gaps());
    }

    /** The first rows of the page, so many. The others come with the next page. */
    ScanPage first(int count) {
        return count == rows().size()
                ? this
                : new ScanPage(table, after, new RawPage(rows().subList(0, count), true, raw.gaps()));
    }
}
