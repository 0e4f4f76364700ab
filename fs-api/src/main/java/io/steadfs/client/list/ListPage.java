package io.steadfs.client.list;

import com.google.protobuf.ByteString;
import java.util.List;

/**
 * A part of a directory's entries, in the order in which the shard stores names.
 *
 * @param cursor position where the next part begins; empty = this is the last part
 */
public record ListPage(List<Entry> entries, ByteString cursor) {
    public ListPage {
        entries = List.copyOf(entries);
    }
}
