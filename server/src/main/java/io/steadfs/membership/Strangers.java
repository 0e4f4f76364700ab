package io.steadfs.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Nodes met in one reading of the tree that no server of ours wrote, or that have impossible contents. They are skipped. */
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
