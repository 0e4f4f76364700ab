package io.steadfs.client.list;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import java.util.List;

/**
 * One page of a listing, as a shard answers it.
 *
 * @param elsewhere of a tree: directories that were met, whose contents another shard lists
 * @param cursor where the next page begins; empty = this was the last one
 */
public record Page(List<Entry> entries, List<Elsewhere> elsewhere, ByteString cursor) {
    /** @param path below the listed directory */
    record Elsewhere(Handle directory, String path) {}

    boolean isLast() {
        return cursor.isEmpty();
    }
}
