package io.steadfs.hadoop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/**
 * Sorts a listing if it has at most so many entries, and leaves a longer one in the servers' order. When the first entry is asked for, up
 * to so many entries are fetched. So the memory is bounded for a directory of any size.
 */
final class SortedIfShort<T> implements Iterator<T> {
    private final Iterator<T> entries;
    private final int most;
    private final Comparator<? super T> order;
    private Iterator<T> first = List.<T>of().iterator();
    private boolean begun;

    /** @param most entries that are sorted; 0 leaves each listing in the servers' order */
    SortedIfShort(Iterator<T> entries, int most, Comparator<? super T> order) {
        this.entries = entries;
        this.most = most;
        this.order = order;
    }

    @Override
    public boolean hasNext() {
        begin();
        return first.hasNext() || entries.hasNext();
    }

    @Override
    public T next() {
        begin();
        return first.hasNext() ? first.next() : entries.next();
    }

    private void begin() {
        if (begun) {
            return;
        }
        begun = true;
        List<T> gathered = new ArrayList<>();
        while (gathered.size() < most && entries.hasNext()) {
            gathered.add(entries.next());
        }
        if (most > 0 && !entries.hasNext()) {
            gathered.sort(order);
        }
        first = gathered.iterator();
    }
}
