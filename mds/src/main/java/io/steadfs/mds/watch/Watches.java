package io.steadfs.mds.watch;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.pipeline.CommitListener;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.time.Clock;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Watches objects, and notes which of them get a name on this shard, or a place in a map. A check may read all names and
 * find no name for an object. During the check, the name may have moved from a place not yet read to a place already read. The check alone
 * cannot tell whether this happened. But if the object got no name on any shard during the check, then it has no name.
 *
 * <p>A name is noted before anybody can see the name. One that another shard gives is noted when it is prepared. A check
 * that begins later finds its row. If a batch is being committed when a watch begins, the names in
 * the batch are noted after the commit. Until that commit the watch is not settled. Watches are kept in memory, so a
 * restarted shard knows no watch. Thread-safe.
 */
public final class Watches implements CommitListener {
    /** The highest number of objects of one watch. */
    public static final int MOST_OBJECTS = 100_000;

    /** The highest number of watches at a time. A further watch ends the oldest one. */
    private static final int MOST = 4;

    private static final long LIFE_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Clock clock;
    private final Map<Long, Watch> watches = new LinkedHashMap<>();
    private boolean committing;
    private long last;

    private static final class Watch {
        final Set<Handle> objects;
        final Set<Handle> touched = new HashSet<>();
        final long began;
        boolean settled;

        Watch(Set<Handle> objects, long began, boolean settled) {
            this.objects = objects;
            this.began = began;
            this.settled = settled;
        }

        void note(List<LogRecord> records) {
            for (LogRecord each : records) {
                if (each instanceof DirentSet name) {
                    note(new Handle(name.row().getHandle()));
                } else if (each instanceof MapEntrySet set) {
                    note(set.entry().handle());
                }
            }
        }

        private void note(Handle object) {
            if (objects.contains(object)) {
                touched.add(object);
            }
        }
    }

    /**
     * What a watch has seen.
     *
     * @param settled whether the watch notes every name that becomes visible from now on
     * @param touched objects that got a name during the watch
     */
    public record Seen(boolean settled, List<Handle> touched) {}

    public Watches(Clock clock) {
        this.clock = clock;
    }

    @Override
    public synchronized void committing(List<LogRecord> records) {
        committing = true;
        watches.values().forEach(each -> each.note(records));
    }

    @Override
    public synchronized void committed(List<LogRecord> records) {
        committing = false;
        for (Watch each : watches.values()) {
            if (!each.settled) {
                each.note(records);
                each.settled = true;
            }
        }
    }

    /**
     * Begins to watch at most {@link #MOST_OBJECTS} objects. Returns the number of the watch. The number is never used
     * again.
     */
    public synchronized long begin(Collection<Handle> objects) {
        long now = clock.monotonicNanos();
        watches.values().removeIf(each -> now - each.began > LIFE_NANOS);
        if (watches.size() == MOST) {
            watches.remove(watches.keySet().iterator().next());
        }
        last = Math.max(last + 1, clock.wallMillis() << 10);
        watches.put(last, new Watch(Set.copyOf(objects), now, !committing));
        return last;
    }

    /** Returns what the watch has seen; empty if the watch is unknown or has ended. */
    public synchronized Optional<Seen> seen(long number) {
        return Optional.ofNullable(watches.get(number))
                .map(watch -> new Seen(watch.settled, List.copyOf(watch.touched)));
    }

    public synchronized void end(long number) {
        watches.remove(number);
    }
}
