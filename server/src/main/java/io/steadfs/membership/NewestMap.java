package io.steadfs.membership;

import io.steadfs.wire.proto.ClusterMap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest cluster map that a server knows. Any thread may read it, and wait for one. After the first map one thread replaces it and
 * calls the listeners, so listeners get maps in order.
 */
final class NewestMap {
    private static final Logger LOG = LoggerFactory.getLogger(NewestMap.class);

    private final ServerId server;
    private final List<Consumer<ClusterMap>> listeners = new CopyOnWriteArrayList<>();
    private final Object changed = new Object();
    private volatile ClusterMap map = ClusterMap.getDefaultInstance();

    /** @param server that knows the map, for messages */
    NewestMap(ServerId server) {
        this.server = server;
    }

    /** The map; one without servers at the beginning. */
    ClusterMap get() {
        return map;
    }

    /** Words for messages about a map that cannot be replaced. */
    String stands() {
        return "the cluster map of epoch " + map.getEpoch() + " stands";
    }

    /** Waits for a map with a property. Returns false if there is none in time. */
    boolean await(Predicate<ClusterMap> property, Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        synchronized (changed) {
            while (!property.test(map)) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                changed.wait(left);
            }
        }
        return true;
    }

    /** Gives the listener the present map and each newer one. Only on the thread that replaces the map. */
    void listen(Consumer<ClusterMap> listener) {
        listeners.add(listener);
        tell(listener, map);
    }

    /** Replaces the map, unless this one is the same or of an earlier epoch. */
    void replace(ClusterMap newest) {
        // Nodes reach the cache one by one. A cache that reads everything anew may go back for a moment.
        if (newest.equals(map) || newest.getEpoch() < map.getEpoch()) {
            return;
        }
        synchronized (changed) {
            map = newest;
            changed.notifyAll();
        }
        listeners.forEach(listener -> tell(listener, newest));
    }

    private void tell(Consumer<ClusterMap> listener, ClusterMap newest) {
        try {
            listener.accept(newest);
        } catch (RuntimeException e) {
            LOG.error("a listener of {} failed at the map of epoch {}", server, newest.getEpoch(), e);
        }
    }
}
