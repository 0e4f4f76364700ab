package io.steadfs.ioserver.lane;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.OpenDatafile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The datafiles that a lane has in memory, the longest untouched first, and the memory that grows with them. Only datafiles that the
 * present batch touched can have grown, so only those are counted again: the cost of a batch depends on what it touches, not on how many
 * there are. Used by the lane's thread only.
 */
final class OpenDatafiles {
    private final int most;
    private final long mostBytes;
    private final LinkedHashMap<Handle, Counted> counted = new LinkedHashMap<>(64, 0.75f, true);
    /** Touched since the last {@link #batchEnds}; some of them may be dropped already. */
    private final List<Counted> touched = new ArrayList<>();

    private long bytes;

    /** A datafile, and its part of the sum. */
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

    /** The caller may change it. */
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

    /** The longest untouched datafiles that must go so that the rest is within the bounds. */
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

    /** Counts the memory of the touched datafiles again. */
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
