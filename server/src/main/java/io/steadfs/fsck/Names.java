package io.steadfs.fsck;

import com.google.protobuf.ByteString;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Collects the names that the check will read again. The names are grouped by the shard that has the name. */
final class Names {
    private final Map<Integer, Set<ByteString>> byShard = new TreeMap<>();

    /** @param key the key of the name's row at the shard */
    record Place(int shard, ByteString key) {}

    void add(int shard, ByteString key) {
        byShard.computeIfAbsent(shard, unused -> new LinkedHashSet<>()).add(key);
    }

    Map<Integer, Set<ByteString>> byShard() {
        return byShard;
    }
}
