package io.steadfs.client.write;

import io.steadfs.client.call.Courier;
import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsError;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which IO server makes a new column's datafile: the one in the layout, or another that is alive, if the layout's server cannot be reached
 * or is full. Used by one thread at a time.
 */
public final class ColumnServer {
    /** Tries at one server whose answer may have been lost, before another server is tried. */
    private static final int TRIES_BEFORE_ANOTHER = 2;

    private final Courier courier;
    private final Set<Integer> tried = new HashSet<>();
    private int id;
    private int triesHere;

    public ColumnServer(Courier courier, int id) {
        this.courier = courier;
        this.id = id;
    }

    public int id() {
        return id;
    }

    /** The datafile was made at this server. */
    void settled(int owner) {
        id = owner;
        triesHere = 0;
    }

    /** A try at the present server failed. */
    public void tryFailed() {
        triesHere++;
    }

    /** Whether the error is the server's, so that another server may succeed. */
    public boolean isAtFault(FsError error) {
        return switch (error) {
            case NO_SPACE, UNREACHABLE, UNKNOWN_HOST, NOT_STEADFS -> true;
            case CONNECTION_LOST, TIMED_OUT, UNAVAILABLE -> triesHere >= TRIES_BEFORE_ANOTHER;
            default -> false;
        };
    }

    /** Moves to the next alive IO server after this one that was not tried. False where there is none. */
    public boolean moveElsewhere() {
        tried.add(id);
        List<Integer> alive =
                courier.cluster().present().map(ClusterView::aliveIoServers).orElse(List.of());
        int start = 0;
        while (start < alive.size() && alive.get(start) <= id) {
            start++;
        }
        for (int i = 0; i < alive.size(); i++) {
            int candidate = alive.get((start + i) % alive.size());
            if (!tried.contains(candidate)) {
                id = candidate;
                triesHere = 0;
                return true;
            }
        }
        tried.clear();
        return false;
    }
}
