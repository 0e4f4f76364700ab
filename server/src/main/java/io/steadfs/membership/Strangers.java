package io.steadfs.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects the strange nodes that were found while the tree was read once. A strange node has impossible content, or no
 * SteadFS server wrote it. Readers skip strange nodes.
 */
final class Strangers {
    private final SortedMap<String, String> byPath = new TreeMap<>();

    void add(String path, MembershipException why) {
        byPath.putIfAbsent(path, String.valueOf(why.getMessage()));
    }

    /** One line for each strange node, naming the node. */
    List<String> lines() {
        return new ArrayList<>(byPath.values());
    }

    SortedMap<String, String> byPath() {
        return byPath;
    }
}
