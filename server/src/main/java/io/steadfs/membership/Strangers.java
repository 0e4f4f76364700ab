package io.steadfs.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Nodes that no server of ours wrote, or that hold what cannot be, met in one look at the tree. They are skipped. */
final class Strangers {
    private final SortedMap<String, String> byPath = new TreeMap<>();

    void add(String path, MembershipException why) {
        byPath.putIfAbsent(path, String.valueOf(why.getMessage()));
    }

    /** One line each, naming the node. */
    List<String> lines() {
        return new ArrayList<>(byPath.values());
    }

    SortedMap<String, String> byPath() {
        return byPath;
    }
}
