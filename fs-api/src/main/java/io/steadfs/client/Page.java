package io.steadfs.client;

import com.google.protobuf.ByteString;
import java.util.List;

/**
 * One page of a listing.
 *
 * @param cursor where the next page begins; empty = this was the last one
 */
record Page(List<Entry> entries, ByteString cursor) {
    boolean isLast() {
        return cursor.isEmpty();
    }
}
