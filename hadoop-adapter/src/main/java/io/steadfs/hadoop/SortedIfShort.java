package io.steadfs.hadoop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/**
 * A listing that is in the order of names if it has at most so many entries, and otherwise in the servers' order. The entries are fetched
 * when the first one is asked for, up to that number. So the memory is bounded for a directory of any size.
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
