package io.steadfs.client.list;

import com.google.protobuf.ByteString;
import java.util.List;

/**
 * A part of a directory, in the order in which shards keep names.
 *
 * @param cursor where the next part begins; empty = this was the last one
 */
public record ListPage(List<Entry> entries, ByteString cursor) {
    public ListPage {
        entries = List.copyOf(entries);
    }
}
