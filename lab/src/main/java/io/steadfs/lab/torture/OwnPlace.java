package io.steadfs.lab.torture;

import java.util.List;
import java.util.TreeSet;

/**
 * Where one thread of a client works on names that no other thread changes.
 *
 * @param base path of the directory that has the thread's names
 * @param prefix what the thread's names in that directory begin with; empty = all names there are the thread's
 */
record OwnPlace(String base, String prefix) {
    /**
     * @param client name of the client. With wide directories it is the slot, since the next client of a slot goes on with
     *     the names
     * @param wide number of directories for the names of all threads; 0 = each thread has a directory of its own
     */
    static OwnPlace of(String client, int thread, int wide) {
        String name = client + "-t" + thread;
        return wide == 0
                ? new OwnPlace("/own/" + client + "/t" + thread, "")
                : new OwnPlace("/own/w" + Math.floorMod(name.hashCode(), wide), name + "-");
    }

    /** Returns whether other threads have names in the same directory. */
    boolean isShared() {
        return !prefix.isEmpty();
    }

    boolean contains(String path) {
        return path.startsWith(base + "/" + prefix);
    }

    String absolute(String relative) {
        return base + "/" + relative;
    }

    /** @param path a path of a name in the directory, or below it */
    String relative(String path) {
        return path.substring(base.length() + 1);
    }

    /** Returns those of the listed names that are the thread's, and all names that are listed twice. */
    List<String> ownOf(List<String> listed) {
        TreeSet<String> seen = new TreeSet<>();
        return listed.stream()
                .filter(name -> !seen.add(name) || name.startsWith(prefix))
                .toList();
    }
}
