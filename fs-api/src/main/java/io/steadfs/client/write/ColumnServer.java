package io.steadfs.client.write;

import io.steadfs.client.call.Courier;
import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsError;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Chooses the IO server that makes a new column's datafile. The layout names the first choice. If the chosen server is
 * full or cannot be reached, the choice moves to another alive server. Used by one thread at a time.
 */
public final class ColumnServer {
    /** Number of failed tries after which CONNECTION_LOST, TIMED_OUT or UNAVAILABLE counts as the server's fault. */
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

    /** Notes that this server has made the datafile. */
    void settled(int owner) {
        id = owner;
        triesHere = 0;
    }

    /** Notes that a try at the present server has failed. */
    public void tryFailed() {
        triesHere++;
    }

    /** Whether the error is the present server's fault, so that another server may succeed. */
    public boolean isAtFault(FsError error) {
        return switch (error) {
            case NO_SPACE, UNREACHABLE, UNKNOWN_HOST, NOT_STEADFS -> true;
            case CONNECTION_LOST, TIMED_OUT, UNAVAILABLE -> triesHere >= TRIES_BEFORE_ANOTHER;
            default -> false;
        };
    }

    /** Moves to the next alive IO server that was not tried yet. Returns false if all alive servers were tried. */
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
