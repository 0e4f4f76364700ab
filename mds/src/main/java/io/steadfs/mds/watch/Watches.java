package io.steadfs.mds.watch;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentSet;
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
 * Notes which of some objects get a name at this shard. A check that finds no name of an object, though it looked at all of
 * them, cannot tell whether the name moved from what it had not seen yet to what it had; an object that
 * got no name at any shard meanwhile has none.
 *
 * <p>A name is noted before anybody can see it. A batch that was on its way already when the watch began is heard of
 * when it is committed; until then the watch is not settled. Kept in memory: a shard that starts anew knows no watch. Thread-safe.
 */
public final class Watches implements CommitListener {
    /** Objects of one watch. */
    public static final int MOST_OBJECTS = 100_000;

    /** Of more, the oldest ends. */
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
                    Handle object = new Handle(name.row().getHandle());
                    if (objects.contains(object)) {
                        touched.add(object);
                    }
                }
            }
        }
    }

    /**
     * What a watch has seen.
     *
     * @param settled whatever becomes visible from now on is noted
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

    /** Begins to watch, at most {@link #MOST_OBJECTS}; answers the watch's number, which no other has or had. */
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

    /** Empty if there is no such watch, or none any more. */
    public synchronized Optional<Seen> seen(long number) {
        return Optional.ofNullable(watches.get(number))
                .map(watch -> new Seen(watch.settled, List.copyOf(watch.touched)));
    }

    public synchronized void end(long number) {
        watches.remove(number);
    }
}
