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
 * Keeps the newest cluster map that a server knows. Any thread may read the map, or wait for a newer map. After the
 * first map, only one thread replaces the map and calls the listeners. So listeners get the maps in order.
 */
final class NewestMap {
    private static final Logger LOG = LoggerFactory.getLogger(NewestMap.class);

    private final ServerId server;
    private final List<Consumer<ClusterMap>> listeners = new CopyOnWriteArrayList<>();
    private final Object changed = new Object();
    private volatile ClusterMap map = ClusterMap.getDefaultInstance();

    /** @param server the server that knows the map, for messages */
    NewestMap(ServerId server) {
        this.server = server;
    }

    /** The newest map. At the beginning, the map has no servers. */
    ClusterMap get() {
        return map;
    }

    /** Words for messages that say which map stays in use. */
    String stands() {
        return "the cluster map of epoch " + map.getEpoch() + " stands";
    }

    /** Waits until the newest map has a property. Returns false if no map has the property in time. */
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

    /**
     * Gives the listener the present map, and later each newer map. Must be called on the thread that replaces the map.
     */
    void listen(Consumer<ClusterMap> listener) {
        listeners.add(listener);
        tell(listener, map);
    }

    /** Replaces the map. Does nothing if the given map is the same, or if the given map has an earlier epoch. */
    void replace(ClusterMap newest) {
        // The nodes reach the cache one by one. If the cache reads all nodes anew, the cache may show an earlier epoch
        // for a moment.
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
