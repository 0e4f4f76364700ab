package io.steadfs.ioserver.lane;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.OpenDatafile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The datafiles that a lane has in memory, with the memory that they take. The datafile that was not used for the
 * longest time comes first. Only datafiles that the present batch used can have grown. So the end of a batch counts
 * only the datafiles that the batch used. The cost does not depend on the number of datafiles in memory. Used by the
 * lane's thread only.
 */
final class OpenDatafiles {
    private final int most;
    private final long mostBytes;
    private final LinkedHashMap<Handle, Counted> counted = new LinkedHashMap<>(64, 0.75f, true);
    /** The datafiles that were used since the last {@link #batchEnds}, including dropped ones. */
    private final List<Counted> touched = new ArrayList<>();

    private long bytes;

    /** A datafile and its part of the sum of memory. */
    private static final class Counted {
        final OpenDatafile datafile;
        long bytes;
        boolean isHere = true;

        Counted(OpenDatafile datafile) {
            this.datafile = datafile;
        }
    }

    OpenDatafiles(int most, long mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    /** Returns the datafile; null if it is not in memory. The caller may change the datafile. */
    @Nullable
    OpenDatafile find(Handle handle) {
        Counted found = counted.get(handle);
        if (found == null) {
            return null;
        }
        touched.add(found);
        return found.datafile;
    }

    void keep(OpenDatafile datafile) {
        Counted made = new Counted(datafile);
        Counted before = counted.put(datafile.handle(), made);
        if (before != null) {
            gone(before);
        }
        touched.add(made);
    }

    void drop(OpenDatafile datafile) {
        Counted dropped = counted.remove(datafile.handle());
        if (dropped != null) {
            gone(dropped);
        }
    }

    private void gone(Counted dropped) {
        bytes -= dropped.bytes;
        dropped.isHere = false;
    }

    /**
     * Returns the datafiles that must go so that the rest is within the bounds. Datafiles that were not used for the
     * longest time go first.
     */
    List<OpenDatafile> aboveBounds() {
        countTouched();
        int left = counted.size();
        long leftBytes = bytes;
        List<OpenDatafile> eldest = new ArrayList<>();
        for (Counted next : counted.values()) {
            if (left <= most && leftBytes <= mostBytes) {
                break;
            }
            eldest.add(next.datafile);
            left--;
            leftBytes -= next.bytes;
        }
        return eldest;
    }

    /** Counts the memory of the datafiles that the batch used. */
    void batchEnds() {
        countTouched();
        touched.clear();
    }

    private void countTouched() {
        for (Counted each : touched) {
            if (each.isHere) {
                long now = each.datafile.memoryBytes();
                bytes += now - each.bytes;
                each.bytes = now;
            }
        }
    }

    Collection<OpenDatafile> all() {
        return counted.values().stream().map(each -> each.datafile).toList();
    }

    int count() {
        return counted.size();
    }

    long bytes() {
        return bytes;
    }
}
