package io.steadfs.client.list;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import java.util.List;

/**
 * One page of a listing, from a shard's answer.
 *
 * @param elsewhere directories of a tree whose contents another shard must list
 * @param cursor position where the next page begins; empty = this is the last page
 */
public record Page(List<Entry> entries, List<Elsewhere> elsewhere, ByteString cursor) {
    /**
     * A directory on another shard.
     *
     * @param token the token for a start at the directory
     * @param path path of the directory below the listed directory
     * @param cursor position where the listing of the directory begins; empty = at the first entry
     */
    public record Elsewhere(Handle directory, ByteString token, String path, ByteString cursor) {}

    boolean isLast() {
        return cursor.isEmpty();
    }
}
