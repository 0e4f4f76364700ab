package io.steadfs.hadoop;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/**
 * Sorts a listing if the listing is short. A long listing keeps the servers' order. The caller sets the limit for a
 * short listing. Before returning the first entry, this iterator fetches no more entries than the limit. So the limit
 * bounds the memory for a directory of any size.
 */
final class SortedIfShort<T> implements Iterator<T> {
    private final Iterator<T> entries;
    private final int most;
    private final Comparator<? super T> order;
    private Iterator<T> first = List.<T>of().iterator();
    private boolean begun;

    /** @param most largest number of entries in a listing that is sorted; 0 = no listing is sorted */
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
